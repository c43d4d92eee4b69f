/** What helps whoever is told of a fault. */
import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Session } from './server/session';
import { chosenSettings } from './server/settings';

export async function copyDebugInformation(
  session: Session,
  context: vscode.ExtensionContext,
): Promise<void> {
  const { found, pid } = session.running;
  const state = session.state;
  const { version } = context.extension.packageJSON as { version: string };
  const lines = [
    `Goldlens extension ${version}`,
    `VS Code ${vscode.version} (${vscode.env.appName}), ${os.platform()} ${os.arch()} ${os.release()}`,
    `Server: ${state.kind}${'version' in state ? ` ${state.version}` : ''}${'reason' in state ? `: ${state.reason}` : ''}`,
    `Command: ${found ? `${found.command} (by the ${found.from})` : 'none'}`,
    `Process: ${pid ?? 'none'}`,
    `Trusted: ${vscode.workspace.isTrusted}`,
    `Settings: ${JSON.stringify(chosenSettings())}`,
  ];
  await vscode.env.clipboard.writeText(lines.join('\n'));
  vscode.window.setStatusBarMessage('Goldlens: debug information copied', 4000);
}
