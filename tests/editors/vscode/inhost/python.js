// Runs inside of VS Code beside an extension that says which Python environment is active.
const assert = require('node:assert/strict');
const { copyFileSync, mkdirSync } = require('node:fs');
const { dirname, join } = require('node:path');
const vscode = require('vscode');
const { check, debugInformation, until } = require('./checks.js');

const one = process.env.GOLDLENS_TEST_PYTHON;
const other = (name) => join(dirname(one), '..', '..', name, 'bin', 'python');
const choose = (python) => vscode.commands.executeCommand('test.python', python);
const runs = (python) => `${join(dirname(python), 'goldlens')} (by the python)`;

exports.run = () =>
  check({
    async 'the server is that of the active environment'() {
      await until(async () => (await debugInformation()).includes(runs(one)), 'the first');
      await until(async () => /Server: running/.test(await debugInformation()), 'a server');
    },

    async 'another environment has another server'() {
      await choose(other('two'));
      await until(
        async () => (await debugInformation()).includes(runs(other('two'))),
        'the second',
      );
      await until(async () => /Server: running/.test(await debugInformation()), 'a server');
    },

    async 'an environment without one leaves none'() {
      await choose(other('empty'));
      await until(async () => /Server: missing/.test(await debugInformation()), 'none');
      assert.match(await debugInformation(), /Process: none/);
    },

    async 'a server that is installed meanwhile is found'() {
      const bin = dirname(other('empty'));
      mkdirSync(bin, { recursive: true });
      copyFileSync(join(dirname(one), 'goldlens'), join(bin, 'goldlens'));
      await until(
        async () => (await debugInformation()).includes(runs(other('empty'))),
        'it',
        60_000,
      );
      await until(async () => /Server: running/.test(await debugInformation()), 'a server');
    },
  });
