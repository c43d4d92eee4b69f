/** Which prediction a command is about. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Pair } from './protocol';
import type { Session } from './server/session';

/** The pairs that the server knows, those with trouble too. */
export function pairs(session: Session): Promise<Pair[]> {
  return session.ask<Pair[]>('goldlens.pairs', {});
}

/** A pair's name, such as “alpha” or “garden.pred.conllu”. */
export function nameOf(pair: Pair): string {
  return pair.system || path.basename(vscode.Uri.parse(pair.pred).fsPath);
}

/** The pair of a document; undefined without gold. */
export async function pairOf(session: Session, uri: vscode.Uri): Promise<Pair | undefined> {
  const known = await pairs(session);
  return known.find(
    (pair) => vscode.Uri.parse(pair.pred).toString() === uri.toString() && pair.gold,
  );
}

/** The files of all predictions that have the same gold as a document. */
export async function rivalsOf(session: Session, uri: vscode.Uri): Promise<string[]> {
  const known = await pairs(session);
  const files = known.map(({ pred, gold }) => ({ file: vscode.Uri.parse(pred).fsPath, gold }));
  const gold = files.find(({ file }) => file === uri.fsPath)?.gold;
  return files.filter((each) => gold && each.gold === gold).map(({ file }) => file);
}

/**
 * The prediction of the active editor, if it is one, else one that the user picks; undefined if
 * they pick none.
 */
export async function choosePrediction(
  session: Session,
  placeHolder: string,
  among: (pair: Pair) => boolean = () => true,
): Promise<vscode.Uri | undefined> {
  const known = (await pairs(session)).filter((pair) => pair.gold && among(pair));
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  if (known.some((pair) => vscode.Uri.parse(pair.pred).toString() === active)) {
    return vscode.window.activeTextEditor!.document.uri;
  }
  return pickPrediction(known, placeHolder);
}

/** One of some pairs' predictions. If there are none, says so and offers to set a gold. */
export async function pickPrediction(
  known: readonly Pair[],
  placeHolder: string,
): Promise<vscode.Uri | undefined> {
  if (known.length === 0) {
    const set = 'Set Gold…';
    const message = 'No prediction with gold is known. Open one, and set its gold.';
    void vscode.window.showInformationMessage(message, set).then((chosen) => {
      if (chosen === set) void vscode.commands.executeCommand('goldlens.ui.setGold');
    });
    return undefined;
  }
  const items = known.map((pair) => ({
    label: nameOf(pair),
    description: vscode.workspace.asRelativePath(vscode.Uri.parse(pair.pred)),
    uri: vscode.Uri.parse(pair.pred),
  }));
  const options = { placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.uri;
}
