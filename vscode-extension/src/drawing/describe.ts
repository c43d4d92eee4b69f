/** A tree in words, for those who hear it. */
import type { Tree, Word } from '../protocol';

/** One word with its attachment, and gold's where that is another. */
export function describeWord(tree: Tree, index: number): string {
  const word = tree.words[index]!;
  const parts = [`${word.id} ${word.form}, ${word.upos}`, attachment(tree, word.head, word.deprel)];
  if (word.correct === false) {
    parts.push(
      word.gold ? `wrong; gold: ${goldAttachment(tree, word.gold)}` : 'faces no word of gold',
    );
  } else if (word.correct) {
    parts.push('right');
  }
  return parts.join(', ');
}

/** The whole sentence in one line, such as “garden-01: 9 words, 8 rightly attached, 1 wrong: morning”. */
export function describeTree(tree: Tree): string {
  const words = tree.words.length === 1 ? '1 word' : `${tree.words.length} words`;
  const name = tree.sent_id ?? `Sentence at line ${tree.line + 1}`;
  if (tree.words.every((word) => word.correct === null)) return `${name}: ${words}, no gold`;
  const wrong = tree.words.filter((word) => word.correct === false);
  const right = tree.words.length - wrong.length;
  const list = wrong.map((word) => word.form).join(', ');
  return `${name}: ${words}, ${right} rightly attached${wrong.length ? `, ${wrong.length} wrong: ${list}` : ''}`;
}

/** The numbers of the words that hang on a word. */
export function dependents(tree: Tree, index: number): number[] {
  const id = tree.words[index]!.id;
  return tree.words.flatMap((word, number) => (word.head === id ? [number] : []));
}

/** The number of a word's head; undefined for a root. */
export function headOf(tree: Tree, word: Word): number | undefined {
  const found = tree.words.findIndex((other) => other.id === word.head);
  return found < 0 ? undefined : found;
}

function goldAttachment(tree: Tree, gold: NonNullable<Word['gold']>): string {
  return gold.head === null && gold.head_form
    ? `${gold.deprel} of “${gold.head_form}”, which is no word of this sentence`
    : attachment(tree, gold.head, gold.deprel);
}

function attachment(tree: Tree, head: number | null, deprel: string): string {
  if (head === 0) return `${deprel} of the sentence`;
  const word = tree.words.find((other) => other.id === head);
  return word ? `${deprel} of ${word.id} ${word.form}` : `${deprel}, no head here`;
}
