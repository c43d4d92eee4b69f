/** A pair written into a goldlens.toml, or into the section of a pyproject.toml. */
import * as path from 'node:path';
import { slashed } from './places';

export interface Insertion {
  /** Where in the text. */
  readonly offset: number;
  readonly text: string;
}

const PYPROJECT = 'pyproject.toml';

/** Whether the text of a file is a configuration of ours; a pyproject.toml need not be. */
export function configures(name: string, text: string): boolean {
  return (
    name !== PYPROJECT || /^[ \t]*\[\[?[ \t]*tool[ \t]*\.[ \t]*goldlens[ \t]*[\].]/m.test(text)
  );
}

/**
 * What puts a pair into the text of a configuration at `file`: at its end, or `first` of all pairs,
 * where another one would match before. Raises if the pairs are written in a way that no table can
 * be added to.
 */
export function insertionOf(
  text: string,
  file: string,
  gold: string,
  pred: string,
  first = false,
): Insertion {
  const prefix = path.basename(file) === PYPROJECT ? 'tool.goldlens.' : '';
  const spaced = prefix.replaceAll('.', '[ \\t]*\\.[ \\t]*');
  if (!prefix && /^[ \t]*pair[ \t]*=|^[ \t]*\[[ \t]*pair[ \t]*\]/m.test(text)) {
    throw new Error(`${path.basename(file)} has its pairs as one value; write them as [[pair]].`);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const folder = path.dirname(file);
  const lines = [
    `[[${prefix}pair]]`,
    `gold = ${quoted(relativeTo(folder, gold))}`,
    `pred = ${quoted(globOf(relativeTo(folder, pred)))}`,
    '',
  ];
  const header = new RegExp(
    `^(?:[ \\t]*#[^\\n]*\\n)*[ \\t]*\\[\\[[ \\t]*${spaced}pair[ \\t]*\\]\\]`,
    'm',
  ).exec(text);
  if (first && header) return { offset: header.index, text: [...lines, ''].join(eol) };
  const ended = text === '' || text.endsWith('\n') ? [] : [''];
  const apart = text.trim() === '' ? [] : [''];
  return { offset: text.length, text: [...ended, ...apart, ...lines].join(eol) };
}

/** A path as it is written in a configuration: relative, wherever that is possible. */
function relativeTo(folder: string, file: string): string {
  return slashed(path.relative(folder, file));
}

/** A glob that matches one path only. */
function globOf(written: string): string {
  return written.replace(/[*?[]/g, (wild) => `[${wild}]`);
}

/** A text as a basic string of TOML, whose escapes are those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
