/** The server and what is said with it: started, watched, started again. */
import { homedir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
  type LanguageClientOptions,
} from 'vscode-languageclient/node';
import type { Score } from '../protocol';
import { find, type Found } from './found';
import { activePython } from './python';
import { chosenSettings, daemonArguments, serverPath } from './settings';
import { traceInto } from './trace';

/** Files that the server may have something to say about. */
export const SELECTOR = [
  ...['conllu', 'iob2'].flatMap((language) =>
    ['file', 'untitled'].map((scheme) => ({ language, scheme })),
  ),
  { scheme: 'file', pattern: '**/*.{jsonl,tsv}' },
  { scheme: 'file', pattern: '**/{goldlens,pyproject}.toml' },
];

export type State =
  | { readonly kind: 'stopped' | 'starting' }
  | { readonly kind: 'running'; readonly version: string }
  | { readonly kind: 'missing'; readonly wanted: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** What was asked of a server that does not run. `state` says why it does not. */
export class NotRunning extends Error {
  constructor(readonly state: State) {
    super('The Goldlens server does not run.');
  }
}

/** A server that is missing for so long is missed, in milliseconds: settings may come late. */
export const PATIENCE = 2500;

/** So long a server that starts is waited for, in milliseconds. */
export const STARTED_WITHIN = 60_000;

/** After this many ends within so many milliseconds the server is not started again. */
const ENDS = 5;
const WITHIN = 180_000;

/**
 * So long after a start it is looked again what the server is, in milliseconds; without a server
 * again and again, at longer and longer times. Settings may come late to a window that opens, and
 * without a notice, and a server may be installed meanwhile.
 */
const AGAIN = 1000;
const AT_LAST_EVERY = 60_000;

export class Session implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('Goldlens', { log: true });
  readonly trace = traceInto(vscode.window.createOutputChannel('Goldlens Trace', { log: true }));
  readonly ownEnvironment: string;

  readonly #states = new vscode.EventEmitter<State>();
  readonly #scores = new vscode.EventEmitter<Score>();
  readonly onState = this.#states.event;
  readonly onScore = this.#scores.event;

  #state: State = { kind: 'stopped' };
  /** When the server came into this state. */
  #since = Date.now();
  #client: LanguageClient | undefined;
  #found: Found | undefined;
  #ends: number[] = [];
  #turn: Promise<void> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.ownEnvironment = vscode.Uri.joinPath(context.globalStorageUri, 'environment').fsPath;
  }

  get state(): State {
    return this.#state;
  }

  /** The command that runs or was last tried, and the process, for debug information. */
  get running(): { found: Found | undefined; pid: number | undefined } {
    return { found: this.#found, pid: this.#client?.serverProcess?.pid };
  }

  /** Whether the server offers code actions. */
  get hasCodeActions(): boolean {
    return Boolean(this.#client?.initializeResult?.capabilities.codeActionProvider);
  }

  start(): Promise<void> {
    return this.#next(() => this.#start());
  }

  stop(): Promise<void> {
    return this.#next(() => this.#stop());
  }

  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#stop();
      this.#ends = [];
      await this.#start();
    });
  }

  /** Starts anew if another command than the one that runs would be found now. */
  async reconsider(): Promise<void> {
    const found = find(await this.#where());
    const command = 'command' in found ? found.command : undefined;
    if (command !== this.#found?.command) await this.restart();
  }

  /**
   * What a command of the server answers; a server that starts is waited for. Raises what the
   * server says is wrong, and NotRunning.
   */
  async ask<T>(command: string, argument: object, token?: vscode.CancellationToken): Promise<T> {
    await this.settled(STARTED_WITHIN, token);
    const client = this.#client;
    if (this.#state.kind !== 'running' || !client) throw new NotRunning(this.#state);
    const params = { command, arguments: [argument] };
    return token
      ? client.sendRequest<T>('workspace/executeCommand', params, token)
      : client.sendRequest<T>('workspace/executeCommand', params);
  }

  /** Waits while the server is on its way, no longer than some milliseconds. Says whether it runs. */
  async settled(milliseconds: number, token?: vscode.CancellationToken): Promise<boolean> {
    const end = Date.now() + milliseconds;
    while (this.isOnItsWay && Date.now() < end && !token?.isCancellationRequested) {
      await wait(50);
    }
    return this.#state.kind === 'running' && this.#client !== undefined;
  }

  /** Whether the server may run in a moment. */
  get isOnItsWay(): boolean {
    switch (this.#state.kind) {
      case 'starting':
        return true;
      case 'running':
        // It is being stopped, and most likely started anew.
        return this.#client === undefined;
      case 'missing':
        return Date.now() - this.#since < PATIENCE;
      default:
        return false;
    }
  }

  /** Tells the server of settings that have changed. */
  async configure(): Promise<void> {
    if (this.#state.kind !== 'running') return;
    const settings = { goldlens: chosenSettings() };
    await this.#client?.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  dispose(): void {
    void this.stop();
    for (const each of [this.#states, this.#scores, this.log, this.trace]) each.dispose();
  }

  /** One start or stop at a time. */
  #next(step: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(step, step);
    return this.#turn;
  }

  async #start(): Promise<void> {
    if (this.#client || isVirtual()) return;
    this.#tell({ kind: 'starting' });
    this.#lookAgain(AGAIN);
    const found = find(await this.#where());
    if (!('command' in found)) {
      this.#found = undefined;
      this.#tell({ kind: 'missing', wanted: found.wanted });
      return;
    }
    this.#found = found;
    const args = ['lsp', ...daemonArguments()];
    this.log.info(`starting ${found.command} ${args.join(' ')} (by the ${found.from})`);
    const client = new LanguageClient(
      'goldlens',
      'Goldlens',
      { command: found.command, args, options: { cwd: this.#cwd() } },
      this.#options(),
    );
    this.#client = client;
    client.onNotification('goldlens/scores', (score: Score) => this.#scores.fire(score));
    client.onDidChangeState(({ newState }) => this.#changed(client, newState));
    try {
      await client.start();
    } catch (error) {
      this.#client = undefined;
      this.#tell({ kind: 'failed', reason: (error as Error).message });
      this.log.error(String(error));
    }
  }

  #lookAgain(after: number): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      void this.reconsider();
      if (this.#state.kind === 'missing') this.#lookAgain(Math.min(2 * after, AT_LAST_EVERY));
    }, after);
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#again);
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.stop(2000);
    } catch (error) {
      this.log.warn(`the server did not stop in order: ${String(error)}`);
    }
    this.#tell({ kind: 'stopped' });
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: {
        // Rows are put elsewhere than into the annotation by whoever clicks on a lens.
        executeCommand: async (command, args, next) =>
          command === 'goldlens.insertRows' ? insertRows(args) : next(command, args),
        workspace: {
          configuration: (params) =>
            params.items.map((item) => (item.section === 'goldlens' ? chosenSettings() : null)),
        },
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => this.#closed(),
      },
    };
  }

  #closed(): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.#ends = [...this.#ends.filter((end) => now - end < WITHIN), now];
    if (this.#ends.length < ENDS) {
      this.log.warn('the server has ended, and is started again');
      return { action: CloseAction.Restart, handled: true };
    }
    this.#client = undefined;
    const reason = `the server ended ${ENDS} times within ${WITHIN / 60_000} minutes`;
    this.log.error(reason);
    this.#tell({ kind: 'failed', reason });
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  #changed(client: LanguageClient, state: ClientState): void {
    if (client !== this.#client) return;
    if (state === ClientState.Running) {
      const version = client.initializeResult?.serverInfo?.version ?? 'unknown';
      this.log.info(`version ${version} runs`);
      this.#tell({ kind: 'running', version });
    } else if (state === ClientState.Starting) this.#tell({ kind: 'starting' });
    else if (state === ClientState.StartFailed) {
      this.#client = undefined;
      this.#tell({ kind: 'failed', reason: 'the server could not be started' });
    }
  }

  #tell(state: State): void {
    this.#state = state;
    this.#since = Date.now();
    this.#states.fire(state);
  }

  /** In a folder that is not trusted the server does not start inside of it. */
  #cwd(): string {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return vscode.workspace.isTrusted && folder?.scheme === 'file' ? folder.fsPath : homedir();
  }

  async #where(): Promise<Parameters<typeof find>[0]> {
    const trusted = vscode.workspace.isTrusted;
    return {
      setting: serverPath(),
      trusted,
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      python: trusted ? await activePython() : undefined,
      ownEnvironment: this.ownEnvironment,
      searched: process.env['PATH'] ?? '',
    };
  }
}

/** What “Insert results rows” above a file does, in the way of the command of that name. */
function insertRows([given]: readonly unknown[]): Thenable<unknown> {
  const { uri } = given as { readonly uri: string };
  return vscode.commands.executeCommand('goldlens.ui.insertRows', { uri: vscode.Uri.parse(uri) });
}

/** Whether all folders are on no disk, where the server finds nothing to read. */
export function isVirtual(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file');
}
