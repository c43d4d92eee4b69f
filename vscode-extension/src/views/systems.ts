/** The view “Systems”: a prediction beside another one of the same gold. */
import * as vscode from 'vscode';
import { change, interval, points } from '../figures';
import { choosePrediction, nameOf, pairs, pickPrediction } from '../predictions';
import type { Difference, Pair } from '../protocol';
import type { Scoreboard } from '../scoreboard';
import type { Session } from '../server/session';

type Node =
  | { readonly kind: 'system'; readonly letter: 'A' | 'B'; readonly pair: Pair }
  | { readonly kind: 'metric'; readonly difference: Difference };

interface Compared {
  readonly a: Pair;
  readonly b: Pair;
  readonly differences: readonly Difference[];
}

export class SystemsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #listening: vscode.Disposable;
  #compared: Compared | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(
    readonly session: Session,
    scoreboard: Scoreboard,
  ) {
    this.#listening = scoreboard.onChange((uri) => this.#changed(uri));
  }

  /** Asks for what is not given, compares, and shows the view. */
  async compareWith(a?: vscode.Uri, b?: vscode.Uri): Promise<void> {
    const first = a ?? (await choosePrediction(this.session, 'Compare which prediction (A)?'));
    if (!first) return;
    const known = await pairs(this.session);
    const one = known.find((pair) => same(pair, first));
    if (!one?.gold) {
      void vscode.window.showInformationMessage(
        'This file has no gold; set it with “Goldlens: Set Gold…”.',
      );
      return;
    }
    const others = known.filter((pair) => pair.gold === one.gold && pair.pred !== one.pred);
    if (others.length === 0) {
      void vscode.window.showInformationMessage('No other prediction of this gold is known.');
      return;
    }
    const second =
      b ?? (await pickPrediction(others, `Compare ${nameOf(one)} with which prediction (B)?`));
    const two = second && others.find((pair) => same(pair, second));
    if (!two) return;
    await this.#compare(one, two);
    await vscode.commands.executeCommand('goldlens.systems.focus');
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#listening.dispose();
    this.#changes.dispose();
  }

  getChildren(node?: Node): Node[] {
    if (node || !this.#compared) return [];
    const { a, b, differences } = this.#compared;
    return [
      { kind: 'system', letter: 'A', pair: a },
      { kind: 'system', letter: 'B', pair: b },
      ...differences.map((difference): Node => ({ kind: 'metric', difference })),
    ];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'system') {
      const item = new vscode.TreeItem(`${node.letter}: ${nameOf(node.pair)}`);
      const uri = vscode.Uri.parse(node.pair.pred);
      item.description = vscode.workspace.asRelativePath(uri);
      item.iconPath = new vscode.ThemeIcon('file');
      item.command = { title: 'Open', command: 'vscode.open', arguments: [uri] };
      return item;
    }
    const { metric, a, b, difference, difference_ci, differ } = node.difference;
    const item = new vscode.TreeItem(metric);
    const bounds = interval(difference_ci);
    const figures = `A ${points(a)}, B ${points(b)}`;
    item.description = [change(difference) || points(difference), bounds, figures]
      .filter((part) => part)
      .join('  ');
    const verdict =
      differ === null
        ? 'This metric has no interval.'
        : differ
          ? 'They differ: 0 lies outside of the interval.'
          : 'They are not shown to differ: 0 lies within the interval.';
    item.tooltip = `${metric}: ${figures}. A minus B ${points(difference)} ${bounds}. ${verdict}`;
    item.accessibilityInformation = { label: item.tooltip };
    item.iconPath = new vscode.ThemeIcon(differ ? 'arrow-swap' : 'dash');
    return item;
  }

  async #compare(a: Pair, b: Pair): Promise<void> {
    const argument = { uri: a.pred, other: b.pred, policy: 'lenient' };
    const options = { location: { viewId: 'goldlens.systems' } };
    const differences = await vscode.window.withProgress(options, () =>
      this.session.ask<Difference[]>('goldlens.compare', argument),
    );
    this.#compared = { a, b, differences };
    this.#changes.fire(undefined);
  }

  /** Compares anew a second after the last change. */
  #changed(uri: vscode.Uri): void {
    const compared = this.#compared;
    if (!compared || ![compared.a, compared.b].some((pair) => same(pair, uri))) return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => {
      this.#compare(compared.a, compared.b).catch((error: Error) =>
        this.session.log.warn(error.message),
      );
    }, 1000);
  }
}

const same = (pair: Pair, uri: vscode.Uri): boolean =>
  vscode.Uri.parse(pair.pred).toString() === uri.toString();
