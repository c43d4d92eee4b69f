/** Results rows: at the cursor, to the clipboard, to a file. */
import * as vscode from 'vscode';
import { choosePrediction } from '../predictions';
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

/** What a caller may settle beforehand; what is left out is asked for. */
export interface Wanted {
  readonly uri?: vscode.Uri;
  readonly format?: string;
}

/**
 * Inserts rows at the cursor. In an annotated file they would be an error, so that there they
 * come in a new document.
 */
export async function insertRows(session: Session, wanted: Wanted = {}): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const language = editor?.document.languageId;
  const likely = FORMS.find((form) => form.language === language)?.format;
  const made = await make(session, { ...(likely ? { format: likely } : {}), ...wanted });
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

export async function copyRows(session: Session, wanted: Wanted = {}): Promise<void> {
  const made = await make(session, wanted);
  if (!made) return;
  await vscode.env.clipboard.writeText(made.text);
  vscode.window.setStatusBarMessage(`Goldlens: rows copied as ${made.form.label}`, 4000);
}

export async function saveRows(session: Session, wanted: Wanted = {}): Promise<void> {
  const made = await make(session, wanted);
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

async function make(
  session: Session,
  wanted: Wanted,
): Promise<{ text: string; form: Form; uri: vscode.Uri } | undefined> {
  const uri = wanted.uri ?? (await choosePrediction(session, 'Results rows of which prediction?'));
  if (!uri) return undefined;
  const form =
    FORMS.find((each) => each.format === wanted.format) ??
    (await vscode.window.showQuickPick(FORMS, { placeHolder: 'Results rows in which format?' }));
  if (!form) return undefined;
  const text = await ask(session, { uri: uri.toString(), format: form.format });
  return text === undefined ? undefined : { text, form, uri };
}

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
