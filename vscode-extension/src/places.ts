/** Files by the folder of the window that they lie in, so that what is remembered of them keeps. */
import * as path from 'node:path';

export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** A file as `folder/path/in/it`; outside of all folders its whole path. */
export function keyOf(file: string, folders: readonly Folder[]): string {
  const within = folders
    .filter((folder) => inside(file, folder.path))
    .sort((a, b) => b.path.length - a.path.length);
  const [folder] = within;
  return folder ? `${folder.name}/${slashed(path.relative(folder.path, file))}` : file;
}

/** The file of a key; undefined if its folder is not in the window. */
export function fileOf(key: string, folders: readonly Folder[]): string | undefined {
  if (path.isAbsolute(key)) return key;
  const folder = folders.find(({ name }) => key.startsWith(`${name}/`));
  return folder && path.join(folder.path, key.slice(folder.name.length + 1));
}

/** Whether a file lies in a folder, at any depth. */
export function inside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
}

export const slashed = (relative: string): string => relative.split(path.sep).join('/');

const GENERIC = /^(pred|preds|predicted|predictions)$/;

/**
 * What a system is called if nobody says: by the folder of its file; or else by the file, as where
 * the output of `others` for the same gold lies in that folder too.
 */
export function systemName(
  file: string,
  folders: readonly Folder[],
  others: readonly string[] = [],
): string {
  const stem = path.basename(file).replace(/(\.pred)?(\.stems)?\.[^.]*$/, '');
  const above = path.dirname(file);
  const named =
    folders.some((folder) => inside(above, folder.path)) &&
    !others.some((other) => other !== file && path.dirname(other) === above);
  return named && !GENERIC.test(path.basename(above)) ? path.basename(above) : stem;
}

/** Whether the name of a file, or of its folder, says that it is gold. */
export function saysGold(file: string): boolean {
  return (
    /(^|\.)gold(\.groups)?\.[^.]+$/.test(path.basename(file)) ||
    path.basename(path.dirname(file)) === 'gold'
  );
}
