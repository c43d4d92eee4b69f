/** The view “Dependency Tree”: the sentence at the cursor, drawn. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Tree } from '../protocol';
import type { Session } from '../server/session';

export class SentenceView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #dist: vscode.Uri;
  readonly #listening: vscode.Disposable;
  #view: vscode.WebviewView | undefined;
  #editor: vscode.TextEditor | undefined;
  #soon: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(
    extension: vscode.Uri,
    readonly session: Session,
  ) {
    this.#dist = vscode.Uri.joinPath(extension, 'dist');
    this.#editor = vscode.window.activeTextEditor;
    this.#listening = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        // Where the view itself has the focus, no editor is active, and the last one counts.
        if (editor) this.#editor = editor;
        this.#update();
      }),
      vscode.window.onDidChangeTextEditorSelection(() => this.#update()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#editor?.document) this.#update();
      }),
      vscode.languages.onDidChangeDiagnostics(() => this.#update()),
      session.onScore(() => this.#update()),
      session.onState(() => this.#update()),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [this.#dist] };
    view.webview.onDidReceiveMessage((message: { type: string; line?: number }) => {
      if (message.type === 'ready') this.#update();
      if (message.type === 'reveal' && message.line !== undefined) void this.#reveal(message.line);
    });
    view.onDidChangeVisibility(() => this.#update());
    view.onDidDispose(() => (this.#view = undefined));
    view.webview.html = page(view.webview, this.#dist);
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#listening.dispose();
  }

  #update(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#send(), 20);
  }

  /** Sends the tree at the cursor; an answer that another question has overtaken is dropped. */
  async #send(): Promise<void> {
    const view = this.#view;
    const editor = this.#editor;
    if (!view?.visible) return;
    const nothing = (reason: string): Thenable<boolean> =>
      view.webview.postMessage({ type: 'nothing', reason });
    if (editor?.document.languageId !== 'conllu') {
      await nothing('Put the cursor into a sentence of a CoNLL-U file.');
      return;
    }
    if (this.session.state.kind !== 'running') {
      await nothing('The Goldlens server does not run.');
      return;
    }
    const asked = ++this.#asked;
    const line = editor.selection.active.line;
    try {
      const uri = editor.document.uri.toString();
      const tree = await this.session.ask<Tree | null>('goldlens.tree', { uri, line });
      if (asked !== this.#asked) return;
      if (!tree) {
        await nothing('No tree can be drawn here; the sentence has problems that come first.');
        return;
      }
      const at = tree.words.findIndex((word) => word.line === line);
      await view.webview.postMessage({ type: 'tree', tree, current: at < 0 ? undefined : at });
    } catch (error) {
      if (asked === this.#asked) await nothing((error as Error).message);
    }
  }

  async #reveal(line: number): Promise<void> {
    if (!this.#editor) return;
    const { document, viewColumn } = this.#editor;
    const selection = new vscode.Range(line, 0, line, 0);
    const options = viewColumn === undefined ? { selection } : { selection, viewColumn };
    await vscode.window.showTextDocument(document, options);
  }
}

function page(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'sentence.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'sentence.css')).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource};`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>Dependency tree</title>
</head>
<body>
<header>
<h1 id="title" role="status" aria-live="polite"></h1>
<p id="legend" hidden>Above the words: gold. Below: the prediction. ✗ and dashes: wrong.</p>
</header>
<div id="pane">
<div id="content">
<div id="tree"></div>
<ul id="problems" dir="ltr" aria-label="Problems of the sentence"></ul>
</div>
</div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
