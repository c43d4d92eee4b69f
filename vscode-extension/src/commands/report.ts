/** The report on a prediction: shown in an editor, saved, opened in a browser. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { folders } from '../golds';
import { systemName } from '../places';
import { choosePrediction } from '../predictions';
import { inColours } from '../report';
import type { Session } from '../server/session';

interface Report {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  /** The page as the server has made it. */
  html: string;
}

export class Reports implements vscode.Disposable {
  readonly #open = new Map<string, Report>();
  readonly #listening: vscode.Disposable;

  /** `storage` is a folder of the extension's own. */
  constructor(
    readonly session: Session,
    readonly storage: vscode.Uri,
  ) {
    this.#listening = vscode.window.onDidChangeActiveColorTheme(() =>
      this.#open.forEach((report) => draw(report)),
    );
  }

  /** Makes the report on a prediction as its text stands, and shows it. */
  async open(given?: vscode.Uri): Promise<void> {
    const uri = given ?? (await choosePrediction(this.session, 'A report on which prediction?'));
    const html = uri && (await this.#make(uri));
    if (!uri || html === undefined) return;
    const report = this.#open.get(uri.toString()) ?? this.#opened(uri);
    report.html = html;
    draw(report);
    report.panel.reveal();
  }

  /** Asks for a file, and writes the report that is in front into it. */
  async save(): Promise<void> {
    const report = this.#inFront();
    const folder =
      vscode.workspace.getWorkspaceFolder(report.uri)?.uri ?? vscode.Uri.joinPath(report.uri, '..');
    const target = await vscode.window.showSaveDialog({
      filters: { HTML: ['html'] },
      defaultUri: vscode.Uri.joinPath(folder, fileName(report.uri)),
    });
    if (!target) return;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(report.html));
    const name = path.basename(target.fsPath);
    vscode.window.setStatusBarMessage(`Goldlens: the report is in ${name}`, 4000);
  }

  /** Opens the report that is in front in the browser, from a file of the extension's own. */
  async openInBrowser(): Promise<void> {
    const report = this.#inFront();
    await vscode.workspace.fs.createDirectory(this.storage);
    const file = vscode.Uri.joinPath(this.storage, fileName(report.uri));
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(report.html));
    if (!(await vscode.env.openExternal(file))) {
      throw new Error(`the browser could not be opened; the report is in ${file.fsPath}`);
    }
  }

  dispose(): void {
    this.#listening.dispose();
    this.#open.forEach(({ panel }) => panel.dispose());
  }

  #inFront(): Report {
    const report = [...this.#open.values()].find(({ panel }) => panel.active);
    if (!report) throw new Error('no report is in front; make one with “Open Report”');
    return report;
  }

  #opened(uri: vscode.Uri): Report {
    const panel = vscode.window.createWebviewPanel(
      'goldlens.report',
      titleOf(uri),
      vscode.ViewColumn.Active,
      // The page holds all it needs, and runs nothing.
      { enableScripts: false, enableForms: false, localResourceRoots: [], enableFindWidget: true },
    );
    const report = { uri, panel, html: '' };
    this.#open.set(uri.toString(), report);
    panel.onDidDispose(() => this.#open.delete(uri.toString()));
    return report;
  }

  /** The page; undefined if the user does not wait for it. */
  async #make(uri: vscode.Uri): Promise<string | undefined> {
    const location = vscode.ProgressLocation.Notification;
    const options = { location, title: 'Goldlens: report', cancellable: true };
    return vscode.window.withProgress(options, async (_, token) => {
      try {
        return await this.session.ask<string>('goldlens.report', { uri: uri.toString() }, token);
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        throw error;
      }
    });
  }
}

function draw({ panel, html }: Report): void {
  const { Dark, HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  const dark = [Dark, HighContrast].includes(kind);
  const contrast = [HighContrast, HighContrastLight].includes(kind);
  panel.webview.html = inColours(html, dark, contrast);
}

/** The prediction's own name, and its system's if that is another one. */
function namesOf(uri: vscode.Uri): readonly [stem: string, system: string | undefined] {
  const stem = path.basename(uri.fsPath, path.extname(uri.fsPath));
  const system = systemName(uri.fsPath, folders());
  return [stem, stem.startsWith(system) ? undefined : system];
}

function titleOf(uri: vscode.Uri): string {
  const [, system] = namesOf(uri);
  return `Report on ${path.basename(uri.fsPath)}${system ? ` (${system})` : ''}`;
}

function fileName(uri: vscode.Uri): string {
  const [stem, system] = namesOf(uri);
  return `${system ? `${system}-` : ''}${stem}-report.html`;
}
