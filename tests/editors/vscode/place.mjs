// Where things are, and a folder to work in.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

export const ROOT = join(here, '..', '..', '..');
export const VSIX = join(ROOT, 'vscode-extension', 'goldlens.vsix');
export const SERVER = process.env.GOLDLENS_SERVER ?? join(ROOT, '.venv', 'bin', 'goldlens');
export const INHOST = join(here, 'inhost');

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const editors = process.env.GOLDLENS_EDITORS ?? join(cache, 'goldlens-editors');
export const CODE_SERVER = join(editors, 'node_modules', 'code-server', 'out', 'node', 'entry.js');

/** Where pictures and logs are kept. */
export const ARTEFACTS = process.env.GOLDLENS_ARTEFACTS ?? join(here, 'artefacts');

for (const needed of [CODE_SERVER, SERVER, VSIX]) {
  if (!existsSync(needed))
    throw new Error(`${needed} is missing: run the tests by “make test-editors”`);
}
mkdirSync(ARTEFACTS, { recursive: true });

/** A new folder, which goes when the process ends. */
export function folder(name) {
  const made = mkdtempSync(join(tmpdir(), `goldlens-${name}-`));
  process.on('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 3 }));
  return made;
}

/** A copy of the examples to work on. */
export function garden() {
  const made = join(folder('garden'), 'garden');
  cpSync(join(ROOT, 'examples'), made, { recursive: true });
  return made;
}

/** A program of the shell. */
export function script(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/**
 * A Python in a folder that only notes what it is asked for, and makes an environment like itself.
 * The file of its notes.
 */
export function notingPython(bin) {
  const calls = join(bin, 'calls');
  script(
    join(bin, 'python3'),
    `
echo "$@" >>'${calls}'
case "$2" in
venv) mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
pip) printf '#!/bin/sh\\nexec "%s" "$@"\\n' '${SERVER}' >"$(dirname "$0")/goldlens"; chmod +x "$(dirname "$0")/goldlens" ;;
esac`,
  );
  return calls;
}

/** An environment in which programs are found in a folder and in the system's, and nowhere else. */
export function pathOf(bin) {
  const path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  // VS Code asks a login shell for the PATH, so that a file of the shell has to name it too.
  writeFileSync(join(bin, '.profile'), `export PATH='${path}'\n`);
  return { PATH: path, HOME: bin, SHELL: '/bin/sh' };
}
