// Runs inside of VS Code in a folder that is not trusted. Its settings and its Python environment
// name servers of its own, which leave a file behind if they are run.
const assert = require('node:assert/strict');
const { existsSync, readFileSync } = require('node:fs');
const vscode = require('vscode');
const { check, debugInformation, ownProblems, until } = require('./checks.js');

const folder = vscode.workspace.workspaceFolders[0].uri;
const wasRun = () => existsSync(vscode.Uri.joinPath(folder, 'was-run').fsPath);

exports.run = () =>
  check({
    async 'the server of the user’s settings runs, that of the folder does not'() {
      assert.equal(vscode.workspace.isTrusted, false);
      const uri = vscode.Uri.joinPath(folder, 'runs/beta/garden.conllu');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      await until(() => ownProblems(uri).length > 0, 'problems');
      await vscode.commands.executeCommand('goldlens.ui.restart');
      await until(() => ownProblems(uri).length > 0, 'problems after a restart');
      assert.ok(!wasRun(), 'it was run');
    },

    async 'its configuration is not written to'() {
      const { fsPath } = vscode.Uri.joinPath(folder, 'goldlens.toml');
      const before = readFileSync(fsPath, 'utf8');
      await vscode.commands.executeCommand('goldlens.ui.writePair');
      assert.equal(readFileSync(fsPath, 'utf8'), before);
    },

    async 'without a server of the user’s none is looked for in the folder’s environment'() {
      const settings = vscode.workspace.getConfiguration('goldlens');
      await settings.update('server.path', '', vscode.ConfigurationTarget.Global);
      await until(async () => /Server: missing/.test(await debugInformation()), 'no server');
      await vscode.commands.executeCommand('goldlens.ui.restart');
      assert.match(await debugInformation(), /Server: missing/);
      assert.ok(!wasRun(), 'it was run');
    },
  });
