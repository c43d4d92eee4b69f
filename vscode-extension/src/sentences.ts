/** Sentences as stretches of lines between blank ones. Lines count from 0. */

export interface Sentence {
  readonly start: number;
  /** The first line after it. */
  readonly end: number;
  /** Its `# sent_id`, if it has one. */
  readonly id: string | undefined;
}

/** A text by its lines; an editor's document is one. */
export interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

const ID = /^#\s*sent_id\s*=\s*(.*?)\s*$/;

const blank = (lines: Lines, line: number): boolean => !/\S/.test(lines.lineAt(line).text);

/**
 * The sentence that a line is in; for a blank line the one before it, if there is one. No line is
 * looked at that is further away than `reach`: of a longer sentence it is the stretch around.
 */
export function sentenceAt(lines: Lines, line: number, reach = Infinity): Sentence | undefined {
  const top = Math.max(0, line - reach);
  const bottom = Math.min(lines.lineCount, line + reach + 1);
  let at = Math.min(line, lines.lineCount - 1);
  while (at >= top && blank(lines, at)) at--;
  if (at < top) return undefined;
  let start = at;
  while (start > top && !blank(lines, start - 1)) start--;
  let end = at + 1;
  while (end < bottom && !blank(lines, end)) end++;
  return { start, end, id: idOf(lines, start, end) };
}

/** All sentences, in order. */
export function sentences(lines: Lines): Sentence[] {
  const found: Sentence[] = [];
  let start = -1;
  for (let line = 0; line <= lines.lineCount; line++) {
    const ends = line === lines.lineCount || blank(lines, line);
    if (!ends && start < 0) start = line;
    if (ends && start >= 0) {
      found.push({ start, end: line, id: idOf(lines, start, line) });
      start = -1;
    }
  }
  return found;
}

function idOf(lines: Lines, start: number, end: number): string | undefined {
  for (let line = start; line < end; line++) {
    const text = lines.lineAt(line).text;
    if (!text.startsWith('#')) return undefined;
    const match = ID.exec(text);
    if (match) return match[1];
  }
  return undefined;
}

/** The number of the last sentence that begins at a line or before it; 0 if none does. */
export function indexAt(all: readonly Sentence[], line: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.start <= line) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/**
 * The line of another text that faces a line of this one: in the sentence of the same id, else in
 * the one of the same number, as far below its beginning.
 */
export function facingLine(
  here: readonly Sentence[],
  there: readonly Sentence[],
  line: number,
): number {
  const index = indexAt(here, line);
  const sentence = here[index];
  if (!sentence || there.length === 0) return 0;
  const same = sentence.id === undefined ? undefined : there.find((s) => s.id === sentence.id);
  const facing = same ?? there[Math.min(index, there.length - 1)]!;
  return Math.min(facing.start + Math.max(0, line - sentence.start), facing.end);
}
