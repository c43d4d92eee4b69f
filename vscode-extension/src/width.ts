/** How many columns of an editor a text takes. */
import { eastAsianWidth } from 'get-east-asian-width';

/** Texts in which every character takes one column. */
const PLAIN = /^[\x20-\u02ff]*$/;

/** Characters that take none: marks, joiners, signs of direction, the inner letters of Hangul. */
const NONE =
  /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** What is shown as one picture, however many characters it has. */
const PICTURE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|^\p{Regional_Indicator}{2}$/u;

const CLUSTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The columns a text takes: 0, 1 or 2 for each character. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of CLUSTERS.segment(text)) {
    sum += PICTURE.test(segment) ? 2 : charsWidth(segment);
  }
  return sum;
}

function charsWidth(cluster: string): number {
  let sum = 0;
  for (const char of cluster) {
    if (!NONE.test(char)) sum += eastAsianWidth(char.codePointAt(0)!);
  }
  return sum;
}

/**
 * What the editor counts for a text on the way to a tab's end: two for a unit of UTF-16 that it
 * takes for wide, one for any other, whatever width they show with.
 */
export function counted(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += takenForWide(text.charCodeAt(at)) ? 2 : 1;
  return sum;
}

/** The ranges that VS Code takes for wide. */
const takenForWide = (unit: number): boolean =>
  (unit >= 0x2e80 && unit <= 0xd7af) ||
  (unit >= 0xf900 && unit <= 0xfaff) ||
  (unit >= 0xff01 && unit <= 0xff5e);
