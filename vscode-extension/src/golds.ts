/** Golds that were set by hand: remembered in the workspace, and told to every server that starts. */
import * as vscode from 'vscode';
import { fileOf, keyOf } from './places';
import type { Session } from './server/session';

const KEY = 'golds';

export class Golds implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onChange = this.#changes.event;
  readonly #listening: vscode.Disposable;

  constructor(
    readonly memory: vscode.Memento,
    readonly session: Session,
  ) {
    this.#listening = session.onState(({ kind }) => {
      if (kind === 'running') void this.#tellAll();
    });
  }

  /** The gold that was set by hand for a prediction. */
  of(prediction: vscode.Uri): string | undefined {
    const gold = this.#known()[nameOf(prediction)];
    return gold === undefined ? undefined : fileOf(gold, folders());
  }

  /** Sets the gold of a prediction; of one on a disk it is remembered. Raises what is wrong with it. */
  async set(prediction: vscode.Uri, gold: vscode.Uri): Promise<void> {
    const before = this.#known()[nameOf(prediction)];
    // First, so that a server that starts meanwhile is told of it.
    await this.#remember(prediction, nameOf(gold));
    try {
      await this.#tell(prediction, gold.fsPath);
    } catch (error) {
      await this.#remember(prediction, before);
      throw error;
    }
    this.#changes.fire(prediction);
  }

  /** Forgets the gold of a prediction that was set by hand. False if none was. */
  async forget(prediction: vscode.Uri): Promise<boolean> {
    if (this.of(prediction) === undefined) return false;
    await this.#remember(prediction, undefined);
    if (this.session.state.kind === 'running') await this.#tell(prediction, null);
    this.#changes.fire(prediction);
    return true;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  async #tell(prediction: vscode.Uri, gold: string | null): Promise<void> {
    await this.session.ask('goldlens.setGold', { uri: prediction.toString(), gold });
  }

  /** All at once, so that whatever is asked next is asked after them. */
  async #tellAll(): Promise<void> {
    await Promise.all(Object.entries(this.#known()).map((each) => this.#tellOf(...each)));
  }

  async #tellOf(key: string, gold: string): Promise<void> {
    const [file, facing] = [fileOf(key, folders()), fileOf(gold, folders())];
    if (!file || !facing) return;
    try {
      await this.#tell(vscode.Uri.file(file), facing);
    } catch (error) {
      this.session.log.warn(`the gold of ${key}, set by hand: ${(error as Error).message}`);
    }
  }

  async #remember(prediction: vscode.Uri, gold: string | undefined): Promise<void> {
    if (prediction.scheme !== 'file') return;
    const { [nameOf(prediction)]: _, ...others } = this.#known();
    const one = gold === undefined ? {} : { [nameOf(prediction)]: gold };
    await this.memory.update(KEY, { ...others, ...one });
  }

  #known(): Readonly<Record<string, string>> {
    return this.memory.get(KEY, {});
  }
}

/** What a file is remembered by. */
export const nameOf = (uri: vscode.Uri): string => keyOf(uri.fsPath, folders());

/** The folders of the window. */
export function folders(): { readonly name: string; readonly path: string }[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  return all.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}
