/** From one sentence with errors to another. */
import * as vscode from 'vscode';
import { nextWithProblem, worst } from '../sentences';
import { unitsOf } from '../units';

/** The cursor goes to the next sentence with an error, or to the previous one. */
export function goToError(step: 1 | -1): void {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const lines = problemLines(editor.document.uri);
  const from = editor.selection.active.line;
  goTo(editor, nextWithProblem(unitsOf(editor.document), lines, from, step));
}

/** The cursor goes to the sentence that has most errors. */
export function goToWorst(): void {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  goTo(editor, worst(unitsOf(editor.document), problemLines(editor.document.uri)));
}

/** The lines of Goldlens' problems in a document, but for hints. */
function problemLines(uri: vscode.Uri): number[] {
  return ownProblems(uri)
    .filter((problem) => problem.severity !== vscode.DiagnosticSeverity.Hint)
    .map((problem) => problem.range.start.line);
}

export function ownProblems(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((problem) => problem.source === 'goldlens');
}

function goTo(editor: vscode.TextEditor, line: number | undefined): void {
  if (line === undefined) {
    vscode.window.setStatusBarMessage(
      'Goldlens: no problems are shown in this file; without gold, run Set Gold…',
      4000,
    );
    return;
  }
  const problem = ownProblems(editor.document.uri).find(({ range }) => range.start.line === line);
  const place = problem?.range.start ?? new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(place, place);
  const range = new vscode.Range(place, place);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
