/** The page of a report, shown in the colours of the editor. */

const DARK = /\(prefers-color-scheme:\s*dark\)/g;
const EITHER = /color-scheme:\s*light dark/g;

/**
 * The page with the colours that it has for the dark, or for the light. By itself it goes by the
 * system, whose colours need not be those of the editor.
 */
export function inColours(html: string, dark: boolean): string {
  return html.replace(/<style>[^<]*<\/style>/g, (style) =>
    style
      .replace(DARK, dark ? 'all' : 'not all')
      .replace(EITHER, `color-scheme: ${dark ? 'dark' : 'light'}`),
  );
}
