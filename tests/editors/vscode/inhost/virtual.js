// Runs inside of VS Code with a folder that is on no disk.
const assert = require('node:assert/strict');
const vscode = require('vscode');
const { check, debugInformation, ownProblems } = require('./checks.js');

exports.run = () =>
  check({
    async 'there are languages and no server'() {
      const [{ uri: folder }] = vscode.workspace.workspaceFolders;
      assert.equal(folder.scheme, 'memory');
      const uri = vscode.Uri.joinPath(folder, 'a.pred.conllu');
      const editor = await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument(uri),
      );
      assert.equal(editor.document.languageId, 'conllu');
      assert.equal(editor.options.insertSpaces, false);
      await vscode.commands.executeCommand('goldlens.ui.restart');
      const told = await debugInformation();
      assert.match(told, /Server: stopped/);
      assert.match(told, /Process: none/);
      assert.deepEqual(ownProblems(uri), []);
    },
  });
