/** Results rows: at the cursor, to the clipboard, to a file. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { metricsToOffer } from '../figures';
import { folders, nameOf as keyOf } from '../golds';
import { systemName } from '../places';
import { choosePrediction, nameOf, pairOf, rivalsOf } from '../predictions';
import type { Pair, Score } from '../protocol';
import type { Session } from '../server/session';

interface Form extends vscode.QuickPickItem {
  readonly format: string;
  readonly language: string;
  readonly extension: string;
}

const FORMS: readonly Form[] = [
  { label: 'Markdown', format: 'markdown', language: 'markdown', extension: 'md' },
  { label: 'LaTeX', format: 'latex', language: 'latex', extension: 'tex' },
  { label: 'JSON', format: 'json', language: 'json', extension: 'json' },
  { label: 'CSV', format: 'csv', language: 'csv', extension: 'csv' },
];

/** Who answers, and what was chosen before: metrics by task, names of systems by file. */
export interface Asking {
  readonly session: Session;
  readonly memory: vscode.Memento;
}

/** What a caller may settle beforehand; what is left out is asked for. */
export interface Wanted {
  readonly uri?: vscode.Uri;
  readonly format?: string;
  readonly metrics?: readonly string[];
  readonly component?: string;
}

interface Made {
  readonly text: string;
  readonly form: Form;
  readonly uri: vscode.Uri;
}

/**
 * Inserts rows at the cursor. In an annotated file they would be an error, so that there they
 * come in a new document.
 */
export async function insertRows(asking: Asking, wanted: Wanted = {}): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const language = editor?.document.languageId;
  const likely = FORMS.find((form) => form.language === language)?.format;
  const made = await make(asking, { ...(likely ? { format: likely } : {}), ...wanted });
  if (!made) return;
  const annotated = language === 'conllu' || language === 'iob2';
  if (!editor || annotated || editor.document.uri.toString() === made.uri.toString()) {
    const content = { language: made.form.language, content: made.text };
    const document = await vscode.workspace.openTextDocument(content);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
    return;
  }
  await editor.edit((edit) => editor.selections.forEach((at) => edit.replace(at, made.text)));
}

export async function copyRows(asking: Asking, wanted: Wanted = {}): Promise<void> {
  const made = await make(asking, wanted);
  if (!made) return;
  await vscode.env.clipboard.writeText(made.text);
  vscode.window.setStatusBarMessage(`Goldlens: rows copied as ${made.form.label}`, 4000);
}

export async function saveRows(asking: Asking, wanted: Wanted = {}): Promise<void> {
  const made = await make(asking, wanted);
  if (!made) return;
  const { extension, label } = made.form;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    filters: { [label]: [extension] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `results.${extension}`) } : {}),
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(made.text));
  await vscode.window.showTextDocument(target);
}

/** Asks what a prediction's system is called in rows, and remembers it. */
export async function nameSystem(asking: Asking, wanted: Wanted = {}): Promise<void> {
  const question = 'The system of which prediction?';
  const uri = wanted.uri ?? (await choosePrediction(asking.session, question));
  if (uri) await askName(asking, uri);
}

async function make(asking: Asking, wanted: Wanted): Promise<Made | undefined> {
  const { session } = asking;
  const uri = wanted.uri ?? (await choosePrediction(session, 'Results rows of which prediction?'));
  if (!uri) return undefined;
  const form =
    FORMS.find((each) => each.format === wanted.format) ??
    (await vscode.window.showQuickPick(FORMS, { placeHolder: 'Results rows in which format?' }));
  if (!form) return undefined;
  const pair = await pairOf(session, uri);
  const metrics = wanted.metrics ?? (await chooseMetrics(asking, uri, pair));
  if (!metrics) return undefined;
  const component = wanted.component ?? (await componentOf(asking, uri, pair));
  if (component === undefined) return undefined;
  const text = await ask(session, {
    uri: uri.toString(),
    format: form.format,
    ...(metrics.length ? { metrics } : {}),
    ...(component ? { component } : {}),
  });
  return text === undefined ? undefined : { text, form, uri };
}

/** The metrics that the user picks, of those that the prediction has; undefined if they leave. */
async function chooseMetrics(
  { session, memory }: Asking,
  uri: vscode.Uri,
  pair: Pair | undefined,
): Promise<readonly string[] | undefined> {
  const score = await session.ask<Score | null>('goldlens.score', { uri: uri.toString() });
  const key = `metrics.${score?.task}`;
  const offered = metricsToOffer(score, memory.get<string[]>(key) ?? pair?.metrics ?? []);
  if (offered.length === 0) return [];
  const items = offered.map(({ name, picked }) => ({ label: name, picked }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: `Results rows of ${pair ? nameOf(pair) : path.basename(uri.fsPath)}`,
    placeHolder: 'Of which metrics?',
  });
  if (!chosen) return undefined;
  const names = chosen.map(({ label }) => label);
  if (names.length === 0) throw new Error('no metric was chosen, so there are no rows');
  await memory.update(key, names);
  return names;
}

/** The configured name of the system counts; else it is asked for once. Undefined if they leave. */
async function componentOf(
  asking: Asking,
  uri: vscode.Uri,
  pair: Pair | undefined,
): Promise<string | undefined> {
  if (pair?.component) return '';
  return asking.memory.get<string>(systemKey(uri)) ?? askName(asking, uri);
}

async function askName({ session, memory }: Asking, uri: vscode.Uri): Promise<string | undefined> {
  const value =
    memory.get<string>(systemKey(uri)) ??
    systemName(uri.fsPath, folders(), await rivalsOf(session, uri));
  const name = await vscode.window.showInputBox({
    title: `The system of ${path.basename(uri.fsPath)}`,
    prompt: 'What it is called in results rows, if goldlens.toml names no component.',
    value,
  });
  if (name !== undefined) await memory.update(systemKey(uri), name.trim());
  return name?.trim();
}

const systemKey = (uri: vscode.Uri): string => `system.${keyOf(uri)}`;

/** Asks by the policy of the pair; if it refuses, offers the lenient one. */
async function ask(session: Session, argument: object): Promise<string | undefined> {
  try {
    return await progress(session, argument);
  } catch (error) {
    const message = (error as Error).message;
    const lenient = 'Use the Lenient Policy';
    const choices = /policy lenient/.test(message) ? [lenient] : [];
    const chosen = await vscode.window.showErrorMessage(`Goldlens: ${message}`, ...choices);
    return chosen ? progress(session, { ...argument, policy: 'lenient' }) : undefined;
  }
}

async function progress(session: Session, argument: object): Promise<string | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: 'Goldlens: results rows', cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    try {
      return await session.ask<string>('goldlens.rows', argument, token);
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }
  });
}
