/** The columns of a sentence: their names, their cells, and what is missing to make them align. */
import { counted, width } from './width';

export const NAMES: Readonly<Record<string, readonly string[]>> = {
  conllu: ['ID', 'FORM', 'LEMMA', 'UPOS', 'XPOS', 'FEATS', 'HEAD', 'DEPREL', 'DEPS', 'MISC'],
  iob2: ['TOKEN', 'TAG'],
};

/** A sentence wider than this, in characters of a line, is not aligned. */
const WIDEST = 400;

/** A cell of a row, and the character it begins at. */
export interface Cell {
  readonly start: number;
  readonly text: string;
}

/** A line of IOB2 that begins with # and does not end with a tag. */
const REMARK = /^#(?!.*[\t ](?:O|[BI](?:-\S+)?)\s*$)/;

/**
 * The cells of a row: parted by tabs, or in IOB2, where a row has none, by spaces. Comments have
 * none, and neither has what nothing parts.
 */
export function cellsOf(text: string, language: string): Cell[] {
  const spaced = language === 'iob2';
  if (spaced ? REMARK.test(text) : text.startsWith('#')) return [];
  const parts = text.includes('\t') ? /(?:^|(?<=\t))[^\t]*/g : spaced ? /\S+/g : undefined;
  const cells = parts ? [...text.matchAll(parts)] : [];
  return cells.length > 1 ? cells.map((found) => ({ start: found.index, text: found[0] })) : [];
}

/** The number of the column that a character of a row is in, from 0; undefined in comments. */
export function columnAt(cells: readonly Cell[], character: number): number | undefined {
  if (cells.length === 0) return undefined;
  return Math.max(
    0,
    cells.findLastIndex(({ start }) => start <= character),
  );
}

/** The name of a column of a row with this many cells. */
export function nameOf(language: string, column: number, cells: number): string | undefined {
  const names = NAMES[language];
  if (language === 'iob2' && cells !== 2) return column === cells - 1 ? 'TAG' : undefined;
  return names?.[column];
}

/** A gap to be shown behind what parts two cells: its last character, how many columns wide. */
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
 * The gaps that make the cells of some rows of a language stand one under another, where a tab alone
 * shows as the way to the next multiple of `tabSize`. Lines without cells are passed over. A column
 * is at least as wide as `least` says.
 */
export function align(
  rows: readonly string[],
  tabSize: number,
  least: readonly number[] = [],
  language = 'conllu',
): Alignment {
  const cells = rows.map((text) => cellsOf(text, language));
  const widest: number[] = [];
  const shown = cells.map((row, number) => spans(row, rows[number]!, tabSize));
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
    row.forEach((span, column) => {
      const columns = widest[column]! - span;
      const character = cells[number]![column + 1]!.start - 1;
      if (columns > 0) gaps.push({ row: number, character, columns });
    });
  });
  return { gaps, starts };
}

/**
 * How wide each cell shows with what parts it from the next one; the last cell is left out. The
 * editor counts the way to a tab's end in units of the text, whatever width they show with.
 */
function spans(cells: readonly Cell[], row: string, tabSize: number): number[] {
  let all = 0;
  return cells.slice(0, -1).map(({ start, text }, column) => {
    const end = start + text.length;
    if (row[end] !== '\t') return width(text) + cells[column + 1]!.start - end;
    all += counted(text);
    const tab = tabSize - (all % tabSize);
    all += tab;
    return width(text) + tab;
  });
}

/** The names of the columns, each where its column begins. */
export function header(names: readonly string[], starts: readonly number[]): string {
  let text = '';
  names.slice(0, starts.length).forEach((name, column) => {
    if (name) text = `${text.padEnd(starts[column]!)}${name} `;
  });
  return text.trimEnd();
}

/** Names to be shown behind what a line has already. */
export interface Header {
  readonly row: number;
  readonly text: string;
}

/**
 * The names beside a comment, where no empty line stands above the rows: those whose columns begin
 * behind its text. It is the comment that has room for most names, the lowest of several.
 */
export function headerBeside(
  rows: readonly string[],
  names: readonly string[],
  starts: readonly number[],
): Header | undefined {
  let best: { row: number; first: number } | undefined;
  for (let row = 0; row < rows.length && rows[row]!.startsWith('#'); row++) {
    if (rows[row]!.includes('\t')) continue;
    const end = width(rows[row]!) + 1;
    const first = starts.findIndex((start) => start >= end);
    if (first >= 0 && first < names.length && first <= (best?.first ?? Infinity)) {
      best = { row, first };
    }
  }
  if (!best) return undefined;
  const taken = width(rows[best.row]!);
  const room = starts.map((start, column) => (column < best.first ? 0 : start - taken));
  const shown = names.map((name, column) => (column < best.first ? '' : name));
  return { row: best.row, text: header(shown, room) };
}
