/** Columns shown one under another, with their names: decorations of what is in sight. */
import * as vscode from 'vscode';
import { align, cellsOf, header, headerBeside, NAMES } from '../columns';
import { sentenceAt } from '../sentences';

/** Of a sentence with more rows than this, those near by count. */
const MOST_ROWS = 400;

/** So many lines above and below those in sight are drawn too, for who scrolls. */
const BEYOND = 30;

/** A space that does not collapse. */
const SPACE = '\u00a0';

export function showColumns(): vscode.Disposable {
  const gaps = vscode.window.createTextEditorDecorationType({});
  const names = vscode.window.createTextEditorDecorationType({});
  const waiting = new Map<vscode.TextEditor, NodeJS.Timeout>();

  const soon = (editor: vscode.TextEditor): void => {
    clearTimeout(waiting.get(editor));
    waiting.set(
      editor,
      setTimeout(() => {
        waiting.delete(editor);
        draw(editor);
      }, 30),
    );
  };
  const all = (): void => vscode.window.visibleTextEditors.forEach(soon);
  const draw = (editor: vscode.TextEditor): void => {
    if (!vscode.window.visibleTextEditors.includes(editor)) return;
    const drawn = decorations(editor);
    editor.setDecorations(gaps, drawn.gaps);
    editor.setDecorations(names, drawn.names);
  };
  all();
  return vscode.Disposable.from(
    gaps,
    names,
    { dispose: () => waiting.forEach((timeout) => clearTimeout(timeout)) },
    vscode.window.onDidChangeVisibleTextEditors(all),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => soon(textEditor)),
    vscode.window.onDidChangeTextEditorOptions(({ textEditor }) => soon(textEditor)),
    vscode.workspace.onDidChangeConfiguration(
      (e) => e.affectsConfiguration('goldlens.columns') && all(),
    ),
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      vscode.window.visibleTextEditors
        .filter((editor) => editor.document === document)
        .forEach(soon),
    ),
  );
}

/** Turns the alignment on or off, where the user has set it or for all. */
export async function toggleAlignment(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('goldlens');
  const local = configuration.inspect('columns.align')?.workspaceValue !== undefined;
  await configuration.update('columns.align', !configuration.get('columns.align', true), !local);
}

interface Decorations {
  readonly gaps: vscode.DecorationOptions[];
  readonly names: vscode.DecorationOptions[];
}

function decorations(editor: vscode.TextEditor): Decorations {
  const found: Decorations = { gaps: [], names: [] };
  const { document } = editor;
  const columns = NAMES[document.languageId];
  const configuration = vscode.workspace.getConfiguration('goldlens.columns', document);
  if (!columns || !configuration.get('align', true)) return found;
  const named = configuration.get('header', true);
  const tabSize = Number(editor.options.tabSize) || 4;
  for (const range of editor.visibleRanges) {
    const top = Math.max(0, range.start.line - BEYOND);
    const bottom = Math.min(document.lineCount - 1, range.end.line + BEYOND);
    let line = top;
    while (line <= bottom) {
      const sentence = sentenceAt(document, line, MOST_ROWS);
      if (!sentence || sentence.end <= line) {
        line++;
        continue;
      }
      const { start, end } = sentence;
      const rows = Array.from(
        { length: end - start },
        (_, row) => document.lineAt(start + row).text,
      );
      const least = named ? columns.map((name) => name.length + 1) : [];
      const alignment = align(rows, tabSize, least, document.languageId);
      for (const gap of alignment.gaps) {
        const row = start + gap.row;
        if (row < line || row > bottom) continue;
        // Before the next cell and not before what parts them, where a problem's underline would run on.
        found.gaps.push(shown(row, gap.character + 1, 'before', SPACE.repeat(gap.columns)));
      }
      const above = sentence.start - 1;
      const free = above >= 0 && !/\S/.test(document.lineAt(above).text);
      const cells = Math.max(...rows.map((text) => cellsOf(text, document.languageId).length));
      const fits = document.languageId === 'conllu' || cells === 2;
      if (named && fits && alignment.starts.length > 1) {
        const place = free
          ? { row: -1, text: header(columns, alignment.starts) }
          : headerBeside(rows, columns, alignment.starts);
        if (place) found.names.push(namesAt(document, start + place.row, place.text));
      }
      line = sentence.end;
    }
  }
  return found;
}

function namesAt(
  document: vscode.TextDocument,
  line: number,
  names: string,
): vscode.DecorationOptions {
  const end = document.lineAt(line).text.length;
  return shown(line, end, 'after', names.replaceAll(' ', SPACE), HEADER);
}

const HEADER: vscode.ThemableDecorationAttachmentRenderOptions = {
  color: new vscode.ThemeColor('editorCodeLens.foreground'),
  fontStyle: 'italic',
};

function shown(
  line: number,
  character: number,
  side: 'before' | 'after',
  contentText: string,
  options: vscode.ThemableDecorationAttachmentRenderOptions = {},
): vscode.DecorationOptions {
  return {
    range: new vscode.Range(line, character, line, character),
    renderOptions: { [side]: { ...options, contentText } },
  };
}
