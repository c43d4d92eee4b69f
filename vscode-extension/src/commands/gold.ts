/** The gold of a prediction: chosen by hand, opened beside, taken over. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Golds } from '../golds';
import { pairOf } from '../predictions';
import type { Session } from '../server/session';
import { takings } from '../taking';
import { scrollTogether } from './scrolling';

/** Files that are offered as gold at most. */
const OFFERED = 1000;

/** Where it is noted that it has been offered to write a pair into goldlens.toml. */
const TOLD = 'toldOfWriting';

/** Sets the gold of the active document; asks for it unless it is given. */
export async function setGold(golds: Golds, given?: vscode.Uri): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage('Open a prediction first; then set its gold.');
    return;
  }
  const gold = given ?? (await chooseGold(document.uri));
  if (!gold) return;
  await golds.set(document.uri, gold);
  void offerToWrite(golds, document.uri);
}

/** Forgets the gold of the active document that was set by hand. */
export async function forgetGold(golds: Golds): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const forgotten = await golds.forget(document.uri);
  vscode.window.setStatusBarMessage(
    forgotten
      ? 'Goldlens: the gold set by hand is forgotten'
      : 'Goldlens: the gold of this file was not set by hand',
    4000,
  );
}

/** Offers, once in a workspace, to write what was set by hand into goldlens.toml. */
async function offerToWrite(golds: Golds, prediction: vscode.Uri): Promise<void> {
  const possible = vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(prediction);
  if (!possible || golds.memory.get(TOLD, false)) return;
  await golds.memory.update(TOLD, true);
  const write = 'Write into goldlens.toml';
  const chosen = await vscode.window.showInformationMessage(
    'This window remembers the gold. A goldlens.toml tells it to everybody: other windows, the command line, your colleagues.',
    write,
  );
  if (chosen === write) await vscode.commands.executeCommand('goldlens.ui.writePair');
}

/** Opens gold beside the prediction of the active editor; from then on both scroll together. */
export async function openGoldBeside(session: Session, golds: Golds): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const pair = await pairOf(session, editor.document.uri);
  if (!pair?.gold) {
    const set = 'Set Gold…';
    const message = 'This file has no gold yet.';
    if ((await vscode.window.showInformationMessage(message, set)) !== set) return;
    await setGold(golds);
    return openGoldBeside(session, golds);
  }
  const gold = await vscode.window.showTextDocument(vscode.Uri.file(pair.gold), {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: false,
  });
  scrollTogether(editor, gold);
}

/** Takes over what gold has on the lines of the selection, or in its sentence; asks what. */
export async function takeGold(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document, selection } = editor;
  const lines = new vscode.Range(selection.start.line, 0, selection.end.line, Infinity);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    document.validateRange(lines),
  );
  const possible = actions.filter((action) => !action.disabled);
  const taking = takings(possible, ({ edit }) => JSON.stringify(edit?.entries()));
  if (taking.length === 0) {
    vscode.window.setStatusBarMessage('Goldlens: nothing to take from gold here', 4000);
    return;
  }
  const items = taking.map((action) => ({
    label: action.title,
    description: selection.isSingleLine ? '' : lineOf(action.edit),
    action,
  }));
  // Asked even if there is one thing only: that may be a whole sentence.
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: 'What to take from gold',
  });
  if (!chosen) return;
  const { edit, command } = chosen.action;
  if (edit) await vscode.workspace.applyEdit(edit);
  if (command) await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

/** Where an edit begins, as people count lines. */
function lineOf(edit: vscode.WorkspaceEdit | undefined): string {
  const [[, [first] = []] = []] = edit?.entries() ?? [];
  return first ? `line ${first.range.start.line + 1}` : '';
}

async function chooseGold(prediction: vscode.Uri): Promise<vscode.Uri | undefined> {
  const extension = path.extname(prediction.fsPath);
  const found = await vscode.workspace.findFiles(`**/*${extension}`, '**/node_modules/**', OFFERED);
  const browse = { label: '$(folder-opened) Browse…', description: '', uri: undefined };
  const items = found
    .filter((uri) => uri.toString() !== prediction.toString())
    .sort((a, b) => likeness(b, prediction) - likeness(a, prediction))
    .map((uri) => ({
      label: path.basename(uri.fsPath),
      description: vscode.workspace.asRelativePath(path.dirname(uri.fsPath)),
      uri: uri as vscode.Uri | undefined,
    }));
  const chosen = await vscode.window.showQuickPick([...items, browse], {
    placeHolder: `The gold of ${path.basename(prediction.fsPath)}`,
    matchOnDescription: true,
  });
  if (chosen !== browse) return chosen?.uri;
  const opened = await vscode.window.showOpenDialog({ title: 'Gold', canSelectMany: false });
  return opened?.[0];
}

/** How likely a file is another one's gold, by its name. */
function likeness(gold: vscode.Uri, prediction: vscode.Uri): number {
  const called = /(^|[^a-z])gold([^a-z]|$)/i.test(vscode.workspace.asRelativePath(gold));
  return Number(called) + Number(path.basename(gold.fsPath) === path.basename(prediction.fsPath));
}
