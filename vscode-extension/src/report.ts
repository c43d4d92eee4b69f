/** The page of a report, shown in the colours of the editor. */

const DARK = /\(prefers-color-scheme:\s*dark\)/g;
const CONTRAST = /\(prefers-contrast:\s*more\)/g;
const EITHER = /color-scheme:\s*light dark/g;

/** Conditions of a style, one that always holds and one that never does. */
const ALWAYS = '(min-width: 0)';
const NEVER = '(max-width: -1px)';

/**
 * The page with the colours that it has for the dark or for the light, and for high contrast or not.
 * By itself it goes by the system, whose colours need not be those of the editor.
 */
export function inColours(html: string, dark: boolean, contrast: boolean): string {
  return html.replace(/<style>[^<]*<\/style>/g, (style) =>
    style
      .replace(DARK, dark ? ALWAYS : NEVER)
      .replace(CONTRAST, contrast ? ALWAYS : NEVER)
      .replace(EITHER, `color-scheme: ${dark ? 'dark' : 'light'}`),
  );
}
