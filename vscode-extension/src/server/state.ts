/** The state of the server as the editor shows it: a language status item, and a question if it is missing. */
import * as vscode from 'vscode';
import { SELECTOR, type Session, type State } from './session';

/** A server that is missing for so long is asked for, in milliseconds: settings may come late. */
const PATIENCE = 2500;

/** Keeps the status item up to date, and asks once what to do if there is no server. */
export function showState(session: Session): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('goldlens.server', SELECTOR);
  item.name = 'Goldlens';
  let asking: NodeJS.Timeout | undefined;
  let asked = false;
  const show = (state: State): void => {
    const told = texts(state);
    item.text = told.text;
    item.detail = told.detail;
    item.busy = state.kind === 'starting';
    item.severity = told.severity;
    item.command = told.command;
    clearTimeout(asking);
    if (state.kind === 'missing' && !asked) {
      asking = setTimeout(() => {
        asked = true;
        void askForServer(state.wanted);
      }, PATIENCE);
    }
  };
  show(session.state);
  return vscode.Disposable.from(item, session.onState(show), {
    dispose: () => clearTimeout(asking),
  });
}

interface Texts {
  readonly text: string;
  readonly detail: string;
  readonly severity: vscode.LanguageStatusSeverity;
  readonly command: vscode.Command;
}

const RESTART = { title: 'Restart', command: 'goldlens.ui.restart' };
const LOGS = { title: 'Show Logs', command: 'goldlens.ui.showLogs' };
const INSTALL = { title: 'Install…', command: 'goldlens.ui.createEnvironment' };

function texts(state: State): Texts {
  const { Information, Error } = vscode.LanguageStatusSeverity;
  const text = 'Goldlens';
  switch (state.kind) {
    case 'running':
      return { text, detail: `server ${state.version}`, severity: Information, command: RESTART };
    case 'starting':
      return { text, detail: 'the server starts', severity: Information, command: LOGS };
    case 'stopped':
      return { text, detail: 'the server does not run', severity: Information, command: RESTART };
    case 'missing': {
      const detail = state.wanted ? `there is no ${state.wanted}` : 'the server is not installed';
      return { text, detail, severity: Error, command: INSTALL };
    }
    case 'failed':
      return { text, detail: state.reason, severity: Error, command: LOGS };
  }
}

async function askForServer(wanted: string | undefined): Promise<void> {
  const install = 'Install…';
  const settings = 'Open Settings';
  const message = wanted
    ? `goldlens.server.path names ${wanted}, which is not there.`
    : 'Goldlens is not installed: neither in the active Python environment, nor on the PATH, nor for this extension.';
  const chosen = await vscode.window.showWarningMessage(message, install, settings);
  if (chosen === install) await vscode.commands.executeCommand(INSTALL.command);
  if (chosen === settings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'goldlens.server.path');
  }
}
