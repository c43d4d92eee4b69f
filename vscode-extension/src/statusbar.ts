/** The score of the file in the active editor, in the status bar. */
import * as vscode from 'vscode';
import { columnAt, nameOf } from './columns';
import { summary } from './figures';
import { scoreTable } from './scoretable';
import type { Scoreboard } from './scoreboard';

export function showScore(scoreboard: Scoreboard): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'goldlens.score',
    vscode.StatusBarAlignment.Left,
    10,
  );
  item.name = 'Goldlens Score';
  item.command = 'goldlens.scores.focus';
  const show = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const score = document && scoreboard.of(document.uri);
    if (!score) return item.hide();
    const preferred = vscode.workspace
      .getConfiguration('goldlens', document.uri)
      .get('statusBar.metric', '');
    const refused = score.would_refuse.length > 0;
    item.text = `${refused ? '$(warning)' : '$(law)'} ${summary(score, preferred)}`;
    item.tooltip = new vscode.MarkdownString(scoreTable(score));
    item.accessibilityInformation = { label: `Goldlens: ${summary(score, preferred)}` };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    scoreboard.onChange(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidChangeConfiguration(
      (e) => e.affectsConfiguration('goldlens.statusBar') && show(),
    ),
  );
}

/** The name of the column that the cursor is in, in the status bar. */
export function showColumn(): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'goldlens.column',
    vscode.StatusBarAlignment.Right,
    101,
  );
  item.name = 'Goldlens Column';
  item.tooltip = 'The column of the cursor. Align columns on or off';
  item.command = 'goldlens.ui.toggleAlignment';
  const show = (): void => {
    const editor = vscode.window.activeTextEditor;
    const language = editor?.document.languageId;
    if (!editor || (language !== 'conllu' && language !== 'iob2')) return item.hide();
    const { line, character } = editor.selection.active;
    const text = editor.document.lineAt(line).text;
    const column = columnAt(text, character);
    const name =
      column === undefined ? undefined : nameOf(language, column, text.split('\t').length);
    item.text = column === undefined ? '–' : `${column + 1} ${name ?? ''}`.trim();
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeTextEditorSelection(show),
    vscode.window.onDidChangeActiveTextEditor(show),
  );
}
