/** The latest score of each prediction, as the server has told it. */
import * as vscode from 'vscode';
import type { Score } from './protocol';
import type { Session } from './server/session';

export class Scoreboard implements vscode.Disposable {
  readonly #scores = new Map<string, Score>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #listening: vscode.Disposable;
  readonly onChange = this.#changes.event;

  constructor(session: Session) {
    this.#listening = vscode.Disposable.from(
      session.onScore((score) => this.#take(score)),
      session.onState((state) => state.kind !== 'running' && this.#forget()),
      // Of a closed document the file counts, which may change unheard.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drop(uri)),
    );
  }

  /** The score of a document; undefined if none has been told. */
  of(uri: vscode.Uri): Score | undefined {
    return this.#scores.get(key(uri));
  }

  /** Forgets the score of a document that has no gold any more. */
  drop(uri: vscode.Uri): void {
    this.#drop(uri);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changes.dispose();
  }

  #take(score: Score): void {
    const uri = vscode.Uri.parse(score.uri);
    this.#scores.set(key(uri), score);
    this.#changes.fire(uri);
  }

  #drop(uri: vscode.Uri): void {
    if (this.#scores.delete(key(uri))) this.#changes.fire(uri);
  }

  #forget(): void {
    const known = [...this.#scores.keys()];
    this.#scores.clear();
    for (const each of known) this.#changes.fire(vscode.Uri.parse(each));
  }
}

/** A URI as the editor writes it, whatever way the server writes it. */
const key = (uri: vscode.Uri): string => uri.toString();
