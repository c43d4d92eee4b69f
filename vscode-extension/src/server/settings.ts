/** The settings that are the server's. */
import * as vscode from 'vscode';

const KEYS = [
  'maxProblems',
  'run',
  'scope',
  'watch',
  'inlayHints',
  'validate',
  'validateLanguage',
  'severity',
] as const;

/**
 * Those that somebody has set. Defaults are left out: an editor's settings win over those of a
 * goldlens.toml, and what nobody has set must not.
 */
export function chosenSettings(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration('goldlens');
  const chosen: Record<string, unknown> = {};
  for (const key of KEYS) {
    const told = configuration.inspect(key);
    const values = [told?.globalValue, told?.workspaceValue, told?.workspaceFolderValue];
    if (values.some((value) => value !== undefined)) chosen[key] = configuration.get(key);
  }
  return chosen;
}

/** The command to start; in a folder that is not trusted only what the user's own settings say. */
export function serverPath(): string {
  const configuration = vscode.workspace.getConfiguration('goldlens');
  if (vscode.workspace.isTrusted) return configuration.get('server.path', '');
  return configuration.inspect<string>('server.path')?.globalValue ?? '';
}

/** Clears the setting of the command, wherever it is set and counts. Raises where it cannot. */
export async function clearServerPath(): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  for (const target of vscode.workspace.isTrusted ? [Workspace, Global] : [Global]) {
    if (!pathSetIn(target)) continue;
    await setPath(undefined, target);
    // In a window whose server is elsewhere what is set here stays, and an empty path goes before it.
    if (pathSetIn(target)) await setPath('', target);
  }
  if (!serverPath().trim()) return;
  // It is set for one folder of several.
  await vscode.commands.executeCommand('workbench.action.openSettings', 'goldlens.server.path');
  throw new Error('goldlens.server.path is still set; clear it in the settings');
}

function pathSetIn(target: vscode.ConfigurationTarget): boolean {
  const told = vscode.workspace.getConfiguration('goldlens').inspect<string>('server.path');
  const { Global } = vscode.ConfigurationTarget;
  return Boolean(target === Global ? told?.globalValue : told?.workspaceValue);
}

const setPath = (path: string | undefined, target: vscode.ConfigurationTarget): Thenable<void> =>
  vscode.workspace.getConfiguration('goldlens').update('server.path', path, target);

/** What `goldlens lsp` is given for the setting goldlens.daemon. */
export function daemonArguments(): string[] {
  const configuration = vscode.workspace.getConfiguration('goldlens');
  const daemon = vscode.workspace.isTrusted
    ? configuration.get('daemon', 'auto')
    : configuration.inspect<string>('daemon')?.globalValue;
  return daemon === 'start' ? ['--daemon'] : daemon === 'off' ? ['--no-daemon'] : [];
}
