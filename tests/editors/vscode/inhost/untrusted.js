// Runs inside of VS Code in a folder that is not trusted, whose settings name a server of its own.
const assert = require('node:assert/strict');
const { existsSync } = require('node:fs');
const vscode = require('vscode');
const { check, until } = require('./checks.js');

const folder = vscode.workspace.workspaceFolders[0].uri;

exports.run = () =>
  check({
    async 'the server of the user’s settings runs, that of the folder does not'() {
      assert.equal(vscode.workspace.isTrusted, false);
      const uri = vscode.Uri.joinPath(folder, 'runs/beta/garden.conllu');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      const own = () =>
        vscode.languages.getDiagnostics(uri).filter((each) => each.source === 'goldlens');
      await until(() => own().length > 0, 'problems');
      await vscode.commands.executeCommand('goldlens.ui.restart');
      await until(() => own().length > 0, 'problems after a restart');
      assert.ok(!existsSync(vscode.Uri.joinPath(folder, 'was-run').fsPath), 'it was run');
    },
  });
