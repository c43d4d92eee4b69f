/** From one sentence with errors to another. */
import * as vscode from 'vscode';
import type { Sought } from '../protocol';
import type { Session } from '../server/session';

/** Milliseconds that problems may take to be shown near where the cursor is to go. */
const SHOWN_WITHIN = 1000;

/**
 * The cursor goes to the sentence with most problems, or to the next or previous one with any. The
 * server knows them all, however few an editor is shown.
 */
export async function goToError(
  session: Session,
  which: 'worst' | 'next' | 'previous',
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error('no file is open in an editor; open a prediction');
  const { uri } = editor.document;
  const line = editor.selection.active.line;
  const found = await session.ask<Sought | null>('goldlens.seek', {
    uri: uri.toString(),
    which,
    line,
  });
  if (!found) {
    vscode.window.setStatusBarMessage(
      'Goldlens: no problems in this file; without gold, run Set Gold…',
      4000,
    );
    return;
  }
  const place = await firstProblem(uri, found.line);
  editor.selection = new vscode.Selection(place, place);
  const range = new vscode.Range(place, place);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

export function ownProblems(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((problem) => problem.source === 'goldlens');
}

/** Where the first problem of a line is shown, or soon will be; else where the line begins. */
async function firstProblem(uri: vscode.Uri, line: number): Promise<vscode.Position> {
  const end = Date.now() + SHOWN_WITHIN;
  for (;;) {
    const shown = ownProblems(uri).find(({ range }) => range.start.line === line);
    if (shown) return shown.range.start;
    const left = end - Date.now();
    if (left <= 0) return new vscode.Position(line, 0);
    await changed(left);
  }
}

/** Waits until any problems are others, but no longer than some milliseconds. */
async function changed(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => done());
    const timer = setTimeout(() => done(), milliseconds);
    const done = (): void => {
      listening.dispose();
      clearTimeout(timer);
      resolve();
    };
  });
}
