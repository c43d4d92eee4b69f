/** The columns of a sentence: their names, their cells, and what is missing to make them align. */

export const NAMES: Readonly<Record<string, readonly string[]>> = {
  conllu: ['ID', 'FORM', 'LEMMA', 'UPOS', 'XPOS', 'FEATS', 'HEAD', 'DEPREL', 'DEPS', 'MISC'],
  iob2: ['TOKEN', 'TAG'],
};

/** A sentence wider than this, in characters of a line, is not aligned. */
const WIDEST = 400;

/** The number of the column that a character of a row is in, from 0; undefined in comments. */
export function columnAt(text: string, character: number): number | undefined {
  if (text.startsWith('#') || !text.includes('\t')) return undefined;
  let column = 0;
  for (let at = 0; at < character; at++) if (text[at] === '\t') column++;
  return column;
}

/** The name of a column of a row with this many cells. */
export function nameOf(language: string, column: number, cells: number): string | undefined {
  const names = NAMES[language];
  if (language === 'iob2' && cells !== 2) return column === cells - 1 ? 'TAG' : undefined;
  return names?.[column];
}

/** How many columns of an editor a character takes: 0, 1 or 2. */
export function charWidth(code: number): number {
  if (code < 0x300) return 1;
  const char = String.fromCodePoint(code);
  if (/[\p{Mn}\p{Me}\u200b-\u200f\u2060\ufe00-\ufe0f]/u.test(char)) return 0;
  return isWide(code) || /\p{Emoji_Presentation}/u.test(char) ? 2 : 1;
}

const isWide = (code: number): boolean => WIDE.some(([a, b]) => code >= a && code <= b);

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

export function width(text: string): number {
  let sum = 0;
  for (const char of text) sum += charWidth(char.codePointAt(0)!);
  return sum;
}

/** A gap to be shown before a tab: the row's number, the tab's character, how many columns wide. */
export interface Gap {
  readonly row: number;
  readonly character: number;
  readonly columns: number;
}

export interface Alignment {
  readonly gaps: readonly Gap[];
  /** Where each column begins, in columns of the editor. */
  readonly starts: readonly number[];
}

/**
 * The gaps that make the cells of some rows stand one under another, where a tab alone shows as
 * the way to the next multiple of `tabSize`. Comments and lines without a tab are passed over.
 * A column is at least as wide as `least` says.
 */
export function align(
  rows: readonly string[],
  tabSize: number,
  least: readonly number[] = [],
): Alignment {
  const cells = rows.map((text) =>
    text.startsWith('#') || !text.includes('\t') ? [] : text.split('\t'),
  );
  const widest: number[] = [];
  const shown = cells.map((row) => spans(row, tabSize));
  for (const row of shown) {
    row.forEach((span, column) => {
      widest[column] = Math.max(widest[column] ?? least[column] ?? 0, span);
    });
  }
  const starts = [0];
  for (const span of widest) starts.push(starts.at(-1)! + span);
  if (starts.at(-1)! > WIDEST) return { gaps: [], starts: [] };
  const gaps: Gap[] = [];
  shown.forEach((row, number) => {
    let character = 0;
    row.forEach((span, column) => {
      character += cells[number]![column]!.length;
      const columns = widest[column]! - span;
      if (columns > 0) gaps.push({ row: number, character, columns });
      character += 1;
    });
  });
  return { gaps, starts };
}

/**
 * How wide each cell and the tab after it show; the last cell has no tab and is left out. The
 * editor counts the way to a tab's end in units of the text, whatever width they show with.
 */
function spans(row: readonly string[], tabSize: number): number[] {
  const found: number[] = [];
  let counted = 0;
  for (const cell of row.slice(0, -1)) {
    counted += units(cell);
    const tab = tabSize - (counted % tabSize);
    counted += tab;
    found.push(width(cell) + tab);
  }
  return found;
}

/** What the editor counts for a text: two for a wide character, one for any other UTF-16 unit. */
function units(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += isWide(text.charCodeAt(at)) ? 2 : 1;
  return sum;
}

/** The names of the columns, each where its column begins. */
export function header(names: readonly string[], starts: readonly number[]): string {
  let text = '';
  names.slice(0, starts.length).forEach((name, column) => {
    text = text.padEnd(starts[column]!) + name + ' ';
  });
  return text.trimEnd();
}
