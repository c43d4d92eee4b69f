/** The state of the server as the editor shows it: a language status item, and a question if it is missing. */
import * as vscode from 'vscode';
import { sayWhy } from './needed';
import { PATIENCE, SELECTOR, type Session, type State } from './session';

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
        void sayWhy(state);
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
