// Runs inside of VS Code in a folder that has a daemon.
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { check, debugInformation, ownProblems, until } = require('./checks.js');

const folder = vscode.workspace.workspaceFolders[0].uri;
const settings = () => vscode.workspace.getConfiguration('goldlens');

/** What `goldlens daemon` says of the folder; undefined where it fails. */
async function daemon(...args) {
  try {
    const command = process.env.GOLDLENS_TEST_SERVER;
    const { stdout } = await promisify(execFile)(command, ['daemon', ...args, folder.fsPath]);
    return stdout;
  } catch {
    return undefined;
  }
}

async function clients() {
  const said = await daemon('status', '--json');
  return said && JSON.parse(said)[0].editors;
}

const problems = async (why) => {
  const uri = vscode.Uri.joinPath(folder, 'runs/beta/garden.conllu');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await until(() => ownProblems(uri).length > 0, `problems ${why}`);
};

exports.run = () =>
  check({
    async 'the window joins the daemon of its folder'() {
      await problems('of the daemon');
      assert.match(await debugInformation(), /Server: running/);
      await until(async () => (await clients()) > 0, 'a client');
    },

    async 'off: the window has a server alone'() {
      await settings().update('daemon', 'off', vscode.ConfigurationTarget.Workspace);
      await until(async () => (await clients()) === 0, 'no client');
      await problems('of a server alone');
    },

    async 'start: where none runs one is started'() {
      await daemon('stop');
      await until(async () => (await daemon('status')) === undefined, 'no daemon');
      await settings().update('daemon', 'start', vscode.ConfigurationTarget.Workspace);
      await until(async () => (await clients()) > 0, 'another daemon with a client');
      await problems('of the other daemon');
      await settings().update('daemon', 'off', vscode.ConfigurationTarget.Workspace);
      await until(async () => (await clients()) === 0, 'no client');
    },
  });
