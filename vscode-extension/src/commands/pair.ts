/** A pair of files, written into goldlens.toml. */
import * as path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Golds } from '../golds';
import { configures, insertionOf } from '../pairtable';
import { pairOf } from '../predictions';
import type { Session } from '../server/session';

const NAMES = ['goldlens.toml', 'pyproject.toml'] as const;

/** So long the server is given to read what was written, in milliseconds. */
const READ = 5000;

/** Writes the pair of the active prediction into the configuration that holds for it. */
export async function writePair(session: Session, golds: Golds): Promise<void> {
  const prediction = vscode.window.activeTextEditor?.document.uri;
  if (!prediction) return;
  if (!vscode.workspace.isTrusted) {
    throw new Error('nothing is written into a folder that is not trusted');
  }
  const folder = vscode.workspace.getWorkspaceFolder(prediction);
  if (!folder) throw new Error('the file lies in no folder of this window, so there is no place');
  const pair = await pairOf(session, prediction);
  if (!pair?.gold) throw new Error('this file has no gold; set it with “Goldlens: Set Gold…”');
  const byHand = golds.of(prediction) !== undefined;
  if (pair.rule === 'config' && !byHand) {
    void vscode.window.showInformationMessage('The configuration has this pair already.');
    return;
  }
  const found = await configurationOf(prediction);
  if (found && !vscode.workspace.getWorkspaceFolder(found)) {
    throw new Error(`${found.fsPath} holds for this file; open its folder to write into it`);
  }
  const target = found ?? vscode.Uri.joinPath(folder.uri, NAMES[0]);
  await write(target, found !== undefined, pair.gold, prediction, pair.rule === 'config');
  await until(async () => (await pairOf(session, prediction))?.rule === 'config');
  await golds.forget(prediction);
  const name = vscode.workspace.asRelativePath(target);
  const open = `Open ${path.basename(name)}`;
  void say(`The pair is in ${name} now.`, open, target);
}

async function say(message: string, open: string, target: vscode.Uri): Promise<void> {
  const chosen = await vscode.window.showInformationMessage(message, open);
  if (chosen === open) await vscode.window.showTextDocument(target);
}

async function write(
  target: vscode.Uri,
  there: boolean,
  gold: string,
  prediction: vscode.Uri,
  first: boolean,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  if (!there) {
    const { text } = insertionOf('', target.fsPath, gold, prediction.fsPath);
    edit.createFile(target, { contents: new TextEncoder().encode(text) });
  }
  const document = there ? await vscode.workspace.openTextDocument(target) : undefined;
  const edited = document?.isDirty;
  if (document) {
    const was = document.getText();
    const { offset, text } = insertionOf(was, target.fsPath, gold, prediction.fsPath, first);
    edit.insert(target, document.positionAt(offset), text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(`${target.fsPath} could not be changed`);
  }
  // What somebody is writing there is theirs to save.
  if (!edited) await document?.save();
}

/** The nearest configuration above a file, in the order in which the server looks. */
async function configurationOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (let at = path.dirname(file.fsPath); ; at = path.dirname(at)) {
    for (const name of NAMES) {
      const candidate = vscode.Uri.file(path.join(at, name));
      try {
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(candidate));
        if (configures(name, text)) return candidate;
      } catch {
        // There is none.
      }
    }
    if (path.dirname(at) === at) return undefined;
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + READ;
  while (!(await holds()) && Date.now() < end) await wait(200);
}
