/** The active Python environment, told by the extension ms-python.python if that is there. */
import * as vscode from 'vscode';

interface Environments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
  resolveEnvironment(
    environment: unknown,
  ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

async function environments(): Promise<Environments | undefined> {
  const extension = vscode.extensions.getExtension<{ environments?: Environments }>(
    'ms-python.python',
  );
  return (await extension?.activate())?.environments;
}

/** The path of the active interpreter; undefined if nobody says. */
export async function activePython(): Promise<string | undefined> {
  const known = await environments();
  if (!known) return undefined;
  const active = known.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return (await known.resolveEnvironment(active))?.executable.uri?.fsPath;
}

/** Calls back when another environment is chosen. */
export async function onPythonChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await environments())?.onDidChangeActiveEnvironmentPath(changed);
}
