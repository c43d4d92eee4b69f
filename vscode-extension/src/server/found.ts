/** Which command is the server: from the setting, a Python environment, the PATH, or our own. */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';

export interface Found {
  readonly command: string;
  readonly from: 'setting' | 'python' | 'path' | 'private';
}

/** The server is nowhere; `wanted` is what the setting names, if it names anything. */
export interface Missing {
  readonly wanted: string | undefined;
}

export interface Where {
  /** The setting goldlens.server.path; in a folder that is not trusted, the user's own. */
  readonly setting: string;
  readonly trusted: boolean;
  readonly folder: string | undefined;
  /** The interpreter of the active Python environment. */
  readonly python: string | undefined;
  /** The folder of the environment that the extension makes. */
  readonly ownEnvironment: string;
  /** The variable PATH. */
  readonly searched: string;
}

const WINDOWS = process.platform === 'win32';
const NAME = WINDOWS ? 'goldlens.exe' : 'goldlens';

/**
 * The server's command. In a folder that is not trusted neither its Python environment nor the
 * PATH counts: either may lead into the folder.
 */
export function find(where: Where): Found | Missing {
  const setting = where.setting.trim();
  if (setting) {
    const named = expand(setting, where);
    const command = named && (path.isAbsolute(named) ? file(named) : onPath(named, where));
    return command ? { command, from: 'setting' } : { wanted: named ?? setting };
  }
  const python = where.trusted && where.python && file(path.join(path.dirname(where.python), NAME));
  if (python) return { command: python, from: 'python' };
  const searched = where.trusted && onPath('goldlens', where);
  if (searched) return { command: searched, from: 'path' };
  const own = file(commandIn(where.ownEnvironment, 'goldlens'));
  return own ? { command: own, from: 'private' } : { wanted: undefined };
}

/** A command of a virtual environment. */
export function commandIn(environment: string, name: string): string {
  return path.join(environment, WINDOWS ? 'Scripts' : 'bin', WINDOWS ? `${name}.exe` : name);
}

/** A command by its name; only absolute folders of the PATH are looked into. */
export function onPath(name: string, where: Pick<Where, 'searched'>): string | undefined {
  const names = WINDOWS && !path.extname(name) ? [`${name}.exe`] : [name];
  for (const folder of where.searched.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const each of names) {
      const found = file(path.join(folder, each));
      if (found) return found;
    }
  }
  return undefined;
}

/** A setting with `~` and `${workspaceFolder}` filled in; undefined where a folder is needed and there is none. */
function expand(setting: string, where: Where): string | undefined {
  if (setting === '~' || /^~[\\/]/.test(setting)) return path.join(homedir(), setting.slice(1));
  const needsFolder = setting.includes('${workspaceFolder}');
  const relative = !needsFolder && !path.isAbsolute(setting) && /[\\/]/.test(setting);
  if (!needsFolder && !relative) return setting;
  if (!where.folder || !where.trusted) return undefined;
  return path.resolve(where.folder, setting.replaceAll('${workspaceFolder}', where.folder));
}

function file(named: string): string | undefined {
  return existsSync(named) && statSync(named).isFile() ? named : undefined;
}
