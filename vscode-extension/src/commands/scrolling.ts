/** Two editors that scroll together, by sentences. */
import * as vscode from 'vscode';
import { facingLine } from '../sentences';
import { unitsOf } from '../units';

/** So long after it was scrolled for the other's sake an editor does not lead, in milliseconds. */
const STILL = 250;

let together: vscode.Disposable | undefined;

/** Scrolls each of two editors as the other is; the pair before is let go. */
export function scrollTogether(left: vscode.TextEditor, right: vscode.TextEditor): void {
  together?.dispose();
  const documents = new Set([left.document, right.document]);
  const followed = new Map<vscode.TextDocument, number>();

  const follow = (leader: vscode.TextEditor): void => {
    if (!documents.has(leader.document)) return;
    if (Date.now() - (followed.get(leader.document) ?? 0) < STILL) return;
    const follower = vscode.window.visibleTextEditors.find(
      (editor) => documents.has(editor.document) && editor.document !== leader.document,
    );
    const top = leader.visibleRanges[0]?.start.line;
    if (!follower || top === undefined) return;
    const line = facingLine(unitsOf(leader.document), unitsOf(follower.document), top);
    if (follower.visibleRanges[0]?.start.line === line) return;
    followed.set(follower.document, Date.now());
    const below = Math.min(line + keptFree(follower), follower.document.lineCount - 1);
    const place = new vscode.Range(below, 0, below, 0);
    follower.revealRange(place, vscode.TextEditorRevealType.AtTop);
  };
  follow(left);
  together = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => follow(textEditor)),
    vscode.workspace.onDidCloseTextDocument((document) => documents.has(document) && letGo()),
  );
}

/** How many lines VS Code leaves above one that is revealed at the top, such as for sticky lines. */
function keptFree(editor: vscode.TextEditor): number {
  const settings = vscode.workspace.getConfiguration('editor', editor.document);
  const sticky = settings.get('stickyScroll.enabled', true)
    ? settings.get('stickyScroll.maxLineCount', 5)
    : 0;
  const [shown] = editor.visibleRanges;
  const lines = shown ? shown.end.line - shown.start.line : 0;
  return Math.min(Math.max(sticky, settings.get('cursorSurroundingLines', 0)), lines >> 1);
}

/** Ends what scrolls together. */
export function letGo(): void {
  together?.dispose();
  together = undefined;
}
