/** What needs the server: waits until it runs, or says why it does not and what can be done. */
import * as vscode from 'vscode';
import { isVirtual, NotRunning, STARTED_WITHIN, type Session, type State } from './session';

/** After so long a wait is shown, in milliseconds. */
const UNSEEN = 400;

/** Waits for a server that starts, as long as the user does. Raises NotRunning. */
export async function running(session: Session): Promise<void> {
  if (await session.settled(UNSEEN)) return;
  if (!session.isOnItsWay) throw new NotRunning(session.state);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: 'Goldlens: waiting for the server to start',
    cancellable: true,
  };
  const runs = await vscode.window.withProgress(options, async (_, token) => {
    const runs = await session.settled(STARTED_WITHIN, token);
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    return runs;
  });
  if (!runs) throw new NotRunning(session.state);
}

const BUTTONS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  'Install…': ['goldlens.ui.createEnvironment'],
  'Open Settings': ['workbench.action.openSettings', 'goldlens.server.path'],
  'Restart Server': ['goldlens.ui.restart'],
  'Show Logs': ['goldlens.ui.showLogs'],
};

/** Says why the server does not run, with what can be done about it. */
export async function sayWhy(state: State): Promise<void> {
  const { message, buttons } = reason(state);
  const chosen = await vscode.window.showWarningMessage(message, ...buttons);
  const [command, ...args] = (chosen && BUTTONS[chosen]) || [];
  if (command) await vscode.commands.executeCommand(command, ...args);
}

function reason(state: State): { readonly message: string; readonly buttons: readonly string[] } {
  const again = ['Restart Server', 'Show Logs'];
  switch (state.kind) {
    case 'missing': {
      const message = state.wanted
        ? `goldlens.server.path names ${state.wanted}, which is not there.`
        : 'Goldlens is not installed: neither in the active Python environment, nor on the PATH, nor for this extension.';
      return { message, buttons: ['Install…', 'Open Settings'] };
    }
    case 'failed':
      return { message: `The Goldlens server does not run: ${state.reason}`, buttons: again };
    case 'stopped':
      return isVirtual()
        ? { message: 'Goldlens reads files on a disk, and these are on none.', buttons: [] }
        : { message: 'The Goldlens server is stopped.', buttons: again };
    default:
      return { message: 'The Goldlens server has not started yet.', buttons: again };
  }
}
