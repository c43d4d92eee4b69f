/** The score of the file in the active editor, in the status bar. */
import * as vscode from 'vscode';
import { cellsOf, columnAt, nameOf } from './columns';
import { summary } from './figures';
import type { Golds } from './golds';
import { saysGold } from './places';
import { pairs } from './predictions';
import type { Score } from './protocol';
import { scoreTable } from './scoretable';
import type { Scoreboard } from './scoreboard';
import type { Session } from './server/session';

/** After a change it is asked this much later whether there is gold, in milliseconds. */
const SOON = 300;

/** The score; or that there is no gold, and the way to it. */
export function showScore(
  session: Session,
  scoreboard: Scoreboard,
  golds: Golds,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'goldlens.score',
    vscode.StatusBarAlignment.Left,
    10,
  );
  item.name = 'Goldlens Score';
  const configurations = vscode.workspace.createFileSystemWatcher('**/{goldlens,pyproject}.toml');
  let soon: NodeJS.Timeout | undefined;

  const show = (): void => {
    clearTimeout(soon);
    const document = vscode.window.activeTextEditor?.document;
    const score = document && scoreboard.of(document.uri);
    if (score) return showFigure(item, score, document.uri);
    item.hide();
    soon = setTimeout(() => void ask(), SOON);
  };
  /** Asks whether the active document has gold; what had a score may have lost it. */
  const ask = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || session.state.kind !== 'running' || !mayHaveGold(document)) return;
    const missing = await lacksGold(session, document.uri);
    if (missing === undefined || vscode.window.activeTextEditor?.document !== document) return;
    if (scoreboard.of(document.uri)) return scoreboard.drop(document.uri);
    item.text = `${missing.trouble ? '$(warning)' : '$(law)'} no gold`;
    item.tooltip = missing.trouble ?? 'This file is compared with nothing. Set its gold';
    item.accessibilityInformation = { label: 'Goldlens: this file has no gold. Set it' };
    item.command = 'goldlens.ui.setGold';
    item.show();
  };
  const askSoon = (): void => {
    clearTimeout(soon);
    soon = setTimeout(() => void ask(), SOON);
  };
  show();
  return vscode.Disposable.from(
    item,
    configurations,
    { dispose: () => clearTimeout(soon) },
    scoreboard.onChange(show),
    session.onState(show),
    golds.onChange(askSoon),
    configurations.onDidChange(askSoon),
    configurations.onDidCreate(askSoon),
    configurations.onDidDelete(askSoon),
    vscode.window.onDidChangeActiveTextEditor(show),
    // With gold or without, and whoever named it, the problems are others.
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const active = vscode.window.activeTextEditor?.document.uri.toString();
      if (uris.some((uri) => uri.toString() === active)) askSoon();
    }),
    vscode.workspace.onDidChangeConfiguration(
      (e) => e.affectsConfiguration('goldlens.statusBar') && show(),
    ),
  );
}

function showFigure(item: vscode.StatusBarItem, score: Score, uri: vscode.Uri): void {
  const configuration = vscode.workspace.getConfiguration('goldlens', uri);
  const preferred = configuration.get('statusBar.metric', '');
  const refused = score.would_refuse.length > 0;
  item.text = `${refused ? '$(warning)' : '$(law)'} ${summary(score, preferred)}`;
  item.tooltip = new vscode.MarkdownString(scoreTable(score));
  item.accessibilityInformation = { label: `Goldlens: ${summary(score, preferred)}` };
  item.command = 'goldlens.scores.focus';
  item.show();
}

/** Whether a document is one that is compared, as far as its language and its name say. */
function mayHaveGold({ languageId, uri }: vscode.TextDocument): boolean {
  return (languageId === 'conllu' || languageId === 'iob2') && !saysGold(uri.fsPath);
}

/** That a document has no gold, and what trouble there is with it; undefined where it has one. */
async function lacksGold(
  session: Session,
  uri: vscode.Uri,
): Promise<{ readonly trouble: string | null } | undefined> {
  try {
    if (await session.ask('goldlens.score', { uri: uri.toString() })) return undefined;
    const known = await pairs(session);
    if (known.some(({ gold }) => gold === uri.fsPath)) return undefined;
    const pair = known.find(({ pred }) => vscode.Uri.parse(pred).toString() === uri.toString());
    // What has gold and no trouble is being read, or is too large to be compared.
    return pair && !pair.trouble ? undefined : { trouble: pair?.trouble ?? null };
  } catch (error) {
    session.log.warn(`whether ${uri.fsPath} has gold: ${(error as Error).message}`);
    return undefined;
  }
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
    const cells = cellsOf(editor.document.lineAt(line).text, language);
    const column = columnAt(cells, character);
    const name = column === undefined ? undefined : nameOf(language, column, cells.length);
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
