// Runs inside of VS Code, beside the extension: what only its own API can tell.
const assert = require('node:assert/strict');
const { existsSync, readFileSync } = require('node:fs');
const vscode = require('vscode');
const { check, debugInformation, ownProblems, until } = require('./checks.js');

const folder = vscode.workspace.workspaceFolders[0].uri;
const uri = (path) => vscode.Uri.joinPath(folder, path);

async function show(path) {
  const document = await vscode.workspace.openTextDocument(uri(path));
  return vscode.window.showTextDocument(document);
}

exports.run = () =>
  check({
    async 'files have their languages, and tabs stay tabs'() {
      for (const [path, language] of [
        ['runs/alpha/garden.conllu', 'conllu'],
        ['runs/alpha/places.iob2', 'iob2'],
      ]) {
        const editor = await show(path);
        assert.equal(editor.document.languageId, language);
        assert.equal(editor.options.insertSpaces, false);
        const settings = vscode.workspace.getConfiguration('editor', editor.document);
        assert.equal(settings.get('detectIndentation'), false);
        assert.equal(settings.get('unusualLineTerminators'), 'off');
      }
    },

    async 'every task has its problems'() {
      for (const [path, code] of [
        ['runs/beta/garden.conllu', 'head-cycle'],
        ['runs/beta/places.iob2', 'iob2-tag'],
        ['runs/beta/letters.jsonl', 'class-error'],
      ]) {
        await show(path);
        await until(() => ownProblems(uri(path)).some((each) => each.code.value === code), code);
      }
    },

    async 'a problem lies on its cell, and points to gold'() {
      await show('runs/alpha/garden.conllu');
      const found = await until(
        () =>
          ownProblems(uri('runs/alpha/garden.conllu')).find((each) => each.range.start.line === 10),
        'the problem of line 11',
      );
      const document = await vscode.workspace.openTextDocument(uri('runs/alpha/garden.conllu'));
      assert.equal(document.getText(found.range), '6');
      assert.match(found.relatedInformation[0].location.uri.path, /gold\/garden\.conllu$/);
    },

    async 'rows go to the clipboard and to a new document'() {
      const prediction = uri('runs/alpha/garden.conllu');
      await vscode.commands.executeCommand('goldlens.ui.copyRows', {
        uri: prediction,
        format: 'latex',
        metrics: ['LAS'],
      });
      assert.match(await vscode.env.clipboard.readText(), /\\begin\{tabular\}|&.*\\\\/);
      await show('runs/alpha/garden.conllu');
      await vscode.commands.executeCommand('goldlens.ui.insertRows', {
        format: 'json',
        metrics: ['UPOS', 'LAS'],
      });
      const made = vscode.window.activeTextEditor.document;
      assert.deepEqual([made.isUntitled, made.languageId], [true, 'json']);
      const rows = JSON.parse(made.getText());
      assert.deepEqual(
        rows.map(({ metric }) => metric),
        ['UPOS', 'LAS'],
      );
      assert.ok(rows.every(({ ci }) => ci));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },

    async 'debug information names the server and its process'() {
      const told = await debugInformation();
      assert.match(told, /^Goldlens extension \d/);
      assert.match(told, /Server: running \d/);
      assert.match(told, /\(by the setting\)/);
      const [, pid] = /Process: (\d+)/.exec(told);
      assert.ok(existsSync(`/proc/${pid}`));
    },

    async 'a restart gives another process, and the problems again'() {
      const before = await processOfServer();
      await vscode.commands.executeCommand('goldlens.ui.restart');
      assert.notEqual(await processOfServer(), before);
      assert.ok(!existsSync(`/proc/${before}`), 'the one before has ended');
      await show('runs/alpha/garden.conllu');
      await until(() => ownProblems(uri('runs/alpha/garden.conllu')).length > 0, 'problems');
    },

    async 'what goldlens.toml says counts until somebody sets it in the editor, and then again'() {
      const editor = await show('runs/alpha/garden.conllu');
      const shown = () => ownProblems(editor.document.uri).length;
      await until(() => shown() > 7, 'all problems');
      const before = await vscode.workspace.fs.readFile(uri('goldlens.toml'));
      const limited = Buffer.concat([Buffer.from('maxProblems = 7\n'), before]);
      await vscode.workspace.fs.writeFile(uri('goldlens.toml'), limited);
      await until(() => shown() === 7, 'seven problems');
      const settings = vscode.workspace.getConfiguration('goldlens');
      await settings.update('maxProblems', 5, vscode.ConfigurationTarget.Workspace);
      await until(() => shown() === 5, 'five problems');
      await settings.update('maxProblems', undefined, vscode.ConfigurationTarget.Workspace);
      await until(() => shown() === 7, 'seven problems again');
      await vscode.workspace.fs.writeFile(uri('goldlens.toml'), before);
      await until(() => shown() > 7, 'all problems again');
    },

    async 'a problem in the configuration'() {
      await vscode.workspace.fs.writeFile(
        uri('sub/goldlens.toml'),
        Buffer.from('maxProblem = 3\n'),
      );
      await show('sub/goldlens.toml');
      await until(() => ownProblems(uri('sub/goldlens.toml')).length > 0, 'config-key');
    },

    async 'untitled documents are checked too'() {
      const content = '1\ta\ta\tNOUN\t_\t_\tx\troot\t_\t_\n\n';
      const document = await vscode.workspace.openTextDocument({ language: 'conllu', content });
      await vscode.window.showTextDocument(document);
      await until(() => ownProblems(document.uri).length > 0, 'problems');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },

    async 'the alignment is turned off and on'() {
      const aligned = () => vscode.workspace.getConfiguration('goldlens').get('columns.align');
      const settings = vscode.workspace.getConfiguration('goldlens');
      await settings.update('columns.align', true, vscode.ConfigurationTarget.Workspace);
      await vscode.commands.executeCommand('goldlens.ui.toggleAlignment');
      assert.equal(aligned(), false);
      await vscode.commands.executeCommand('goldlens.ui.toggleAlignment');
      assert.equal(aligned(), true);
    },

    async 'the text stays as it is, byte by byte'() {
      const editor = await show('runs/alpha/garden.conllu');
      const before = readFileSync(editor.document.uri.fsPath, 'utf8');
      assert.equal(editor.document.getText(), before);
    },

    async 'the setting of the daemon is what the server is started with'() {
      const flags = async () => {
        const process = `/proc/${await processOfServer()}/cmdline`;
        // The one before may just be ending.
        const command = existsSync(process) ? readFileSync(process, 'utf8').split('\0') : ['--'];
        return command.filter((each) => each.startsWith('--')).join();
      };
      assert.equal(await flags(), '--no-daemon');
      const settings = vscode.workspace.getConfiguration('goldlens');
      await settings.update('daemon', 'auto', vscode.ConfigurationTarget.Workspace);
      await until(async () => (await flags()) === '', 'a server that may join a daemon');
      await settings.update('daemon', undefined, vscode.ConfigurationTarget.Workspace);
      await until(async () => (await flags()) === '--no-daemon', 'a server that may not');
    },

    async 'a setting that names nothing runs nothing, and says so; the right one starts anew'() {
      const settings = vscode.workspace.getConfiguration('goldlens');
      await settings.update(
        'server.path',
        '/no/such/goldlens',
        vscode.ConfigurationTarget.Workspace,
      );
      await until(async () => /Server: missing/.test(await debugInformation()), 'no server');
      await settings.update('server.path', undefined, vscode.ConfigurationTarget.Workspace);
      await until(async () => /Server: running/.test(await debugInformation()), 'the server');
    },
  });

async function processOfServer() {
  return until(
    async () => /Server: running[^]*Process: (\d+)/.exec(await debugInformation())?.[1],
    'a process',
  );
}
