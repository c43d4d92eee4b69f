/** The extension: what there is, and how it hangs together. */
import * as vscode from 'vscode';
import { goToError } from './commands/errors';
import { forgetGold, openGoldBeside, setGold, takeGold } from './commands/gold';
import { writePair } from './commands/pair';
import { Reports } from './commands/report';
import { copyRows, insertRows, nameSystem, saveRows, type Wanted } from './commands/rows';
import { letGo } from './commands/scrolling';
import { copyDebugInformation } from './debug';
import { Golds } from './golds';
import { Scoreboard } from './scoreboard';
import { createEnvironment, shouldInstall } from './server/environment';
import { running, sayWhy } from './server/needed';
import { clearServerPath } from './server/settings';
import { activePython, onPythonChange } from './server/python';
import { NotRunning, Session } from './server/session';
import { showState } from './server/state';
import { showColumn, showScore } from './statusbar';
import { showColumns, toggleAlignment } from './views/columns';
import { ConfusionsView, openExample, type Example, type More } from './views/confusions';
import { ScoresView, type PairNode } from './views/scores';
import { SentenceView } from './views/sentence';
import { SystemsView } from './views/systems';

/** Commands may be called from an item of a view, or with what is wanted. */
type Called = PairNode | Wanted | Example | More | undefined;

/** Commands that need no server; all others wait for one, before they ask anything. */
const ALONE = new Set([
  ...['restart', 'showLogs', 'copyDebugInformation', 'createEnvironment'],
  ...[
    'saveReport',
    'openReportInBrowser',
    'showTree',
    'toggleAlignment',
    'openPair',
    'openExample',
  ],
]);

export function activate(context: vscode.ExtensionContext): void {
  const keep = <T extends vscode.Disposable>(each: T): T => {
    context.subscriptions.push(each);
    return each;
  };
  const session = keep(new Session(context));
  const golds = keep(new Golds(context.workspaceState, session));
  const scoreboard = keep(new Scoreboard(session));
  const scores = keep(new ScoresView(session, scoreboard));
  const systems = keep(new SystemsView(session, scoreboard));
  const confusions = keep(new ConfusionsView(session, scoreboard, context.workspaceState));
  const reports = keep(new Reports(session, context.storageUri ?? context.globalStorageUri));
  const sentence = keep(new SentenceView(context.extensionUri, session));

  keep(vscode.window.registerTreeDataProvider('goldlens.scores', scores));
  keep(vscode.window.registerTreeDataProvider('goldlens.systems', systems));
  keep(vscode.window.registerWebviewViewProvider('goldlens.sentence', sentence));
  keep(showState(session));
  keep(showScore(session, scoreboard, golds));
  keep(showColumn());
  keep(showColumns());
  keep({ dispose: letGo });

  const asking = { session, memory: context.workspaceState };
  const commands: Readonly<Record<string, (called: Called) => unknown>> = {
    restart: () => session.restart(),
    showLogs: () => session.log.show(),
    copyDebugInformation: () => copyDebugInformation(session, context),
    createEnvironment: () => install(session),
    insertRows: (called) => insertRows(asking, called),
    copyRows: (called) => copyRows(asking, called),
    saveRows: (called) => saveRows(asking, called),
    nameSystem: (called) => nameSystem(asking, called),
    compareWith: (called) => systems.compareWith(called?.uri),
    chooseColumn: () => confusions.chooseColumn(),
    openReport: (called) => reports.open(called?.uri),
    saveReport: () => reports.save(),
    openReportInBrowser: () => reports.openInBrowser(),
    setGold: (called) => setGold(golds, called?.uri),
    forgetGold: () => forgetGold(golds),
    writePair: () => writePair(session, golds),
    openGoldBeside: () => openGoldBeside(session, golds),
    nextError: () => goToError(session, 'next'),
    previousError: () => goToError(session, 'previous'),
    worstSentence: () => goToError(session, 'worst'),
    takeGold: () => takeGold(),
    showTree: () => vscode.commands.executeCommand('goldlens.sentence.focus'),
    toggleAlignment: () => toggleAlignment(),
    refreshScores: () => scores.refresh(),
    moreConfusions: (called) => confusions.showMore(called as More),
    openExample: (called) => openExample(called as Example),
    openPair: (called) => called?.uri && vscode.window.showTextDocument(called.uri),
  };
  for (const [name, run] of Object.entries(commands)) {
    keep(
      vscode.commands.registerCommand(`goldlens.ui.${name}`, (called?: Called) =>
        told(async () => {
          if (!ALONE.has(name)) await running(session);
          await run(called);
        }),
      ),
    );
  }

  keep(
    session.onState(() => {
      const offered = session.hasCodeActions;
      void vscode.commands.executeCommand('setContext', 'goldlens.canTakeGold', offered);
    }),
  );
  keep(vscode.workspace.onDidChangeConfiguration((event) => configured(session, event)));
  keep(vscode.workspace.onDidGrantWorkspaceTrust(() => session.reconsider()));

  void session.start();
  void onPythonChange(() => void session.reconsider()).then(
    (listening) => listening && keep(listening),
  );
}

/** Runs a command; what goes wrong is said to the user. */
async function told(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof vscode.CancellationError) return;
    if (error instanceof NotRunning) return void sayWhy(error.state);
    void vscode.window.showErrorMessage(`Goldlens: ${(error as Error).message}`);
  }
}

async function install(session: Session): Promise<void> {
  const wanted = await shouldInstall(session.ownEnvironment);
  if (!wanted) return;
  const python = vscode.workspace.isTrusted ? await activePython() : undefined;
  await session.stop();
  const made = await createEnvironment(session.ownEnvironment, python, session.log);
  try {
    if (made && wanted.instead) await clearServerPath();
  } finally {
    await session.start();
  }
}

async function configured(session: Session, event: vscode.ConfigurationChangeEvent): Promise<void> {
  if (
    event.affectsConfiguration('goldlens.server') ||
    event.affectsConfiguration('goldlens.daemon')
  ) {
    await session.restart();
  } else if (event.affectsConfiguration('goldlens')) {
    await session.configure();
  }
}
