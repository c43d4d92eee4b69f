/** The view “Scores”: golds, their predictions, and of each its metrics, intervals and problems. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ownProblems } from '../commands/errors';
import { change, figure, interval, points, summary } from '../figures';
import { nameOf, pairs } from '../predictions';
import { counted, problemsOf, type Problems } from '../problems';
import type { Pair, Row, Score } from '../protocol';
import type { Scoreboard } from '../scoreboard';
import { scoreTable } from '../scoretable';
import type { Session } from '../server/session';

export type Node =
  | { readonly kind: 'gold'; readonly gold: string; readonly pairs: readonly PairNode[] }
  | PairNode
  | { readonly kind: 'metric'; readonly pair: PairNode; readonly metric: string }
  | { readonly kind: 'problems'; readonly pair: PairNode; readonly problems: Problems }
  | { readonly kind: 'cut'; readonly pair: PairNode; readonly problems: Problems }
  | {
      readonly kind: 'code';
      readonly pair: PairNode;
      readonly code: string;
      readonly count: number;
    };

export interface PairNode {
  readonly kind: 'pair';
  readonly pair: Pair;
  readonly uri: vscode.Uri;
}

/** Predictions whose scores are asked for without being opened, at most. */
const ASKED = 60;

export class ScoresView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #listening: vscode.Disposable;
  readonly #nodes = new Map<string, PairNode>();
  /** Scores of predictions that are not open, and intervals; both until something changes. */
  readonly #scores = new Map<string, Score>();
  readonly #rows = new Map<string, readonly Row[]>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  #soon: NodeJS.Timeout | undefined;

  constructor(
    readonly session: Session,
    readonly scoreboard: Scoreboard,
  ) {
    const files = vscode.workspace.createFileSystemWatcher('**/*.{conllu,iob2,bio,jsonl,tsv}');
    this.#listening = vscode.Disposable.from(
      files,
      ...[files.onDidChange, files.onDidCreate, files.onDidDelete].map((event) =>
        event(() => {
          this.#scores.clear();
          this.#reload();
        }),
      ),
      session.onState(() => this.refresh()),
      scoreboard.onChange((uri) => this.#changed(uri)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach((uri) => this.#show(uri))),
      vscode.workspace.onDidOpenTextDocument(() => this.#reload()),
      vscode.workspace.onDidCloseTextDocument(() => this.#reload()),
    );
  }

  /** Everything anew. */
  refresh(): void {
    this.#scores.clear();
    this.#rows.clear();
    this.#changes.fire(undefined);
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#waiting.forEach((timeout) => clearTimeout(timeout));
    this.#listening.dispose();
    this.#changes.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    switch (node?.kind) {
      case undefined:
        return this.#golds();
      case 'gold':
        void this.#askScores(node.pairs);
        return [...node.pairs];
      case 'pair':
        return this.#figures(node);
      case 'problems':
        return kinds(node.pair, node.problems);
      default:
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'gold': {
        const item = new vscode.TreeItem(
          path.basename(node.gold),
          vscode.TreeItemCollapsibleState.Expanded,
        );
        item.id = node.gold;
        item.description = `gold, ${vscode.workspace.asRelativePath(path.dirname(node.gold))}`;
        item.iconPath = new vscode.ThemeIcon('star');
        return item;
      }
      case 'pair':
        return this.#pairItem(node);
      case 'metric':
        return this.#metricItem(node.pair, node.metric);
      case 'problems': {
        const item = new vscode.TreeItem('Problems', vscode.TreeItemCollapsibleState.Collapsed);
        item.id = `${node.pair.pair.pred} problems`;
        item.description = counted(node.problems);
        item.iconPath = new vscode.ThemeIcon('warning');
        return item;
      }
      case 'code': {
        const item = new vscode.TreeItem(node.code);
        item.id = `${node.pair.pair.pred} ${node.code}`;
        item.description = `${node.count}`;
        item.command = { title: 'Show Problems', command: 'workbench.actions.view.problems' };
        return item;
      }
      case 'cut': {
        const item = new vscode.TreeItem(`${node.problems.more} more are not shown`);
        item.id = `${node.pair.pair.pred} cut`;
        item.description = 'change goldlens.maxProblems';
        item.tooltip = 'Those shown are errors first, then what is nearest to the last edit.';
        item.iconPath = new vscode.ThemeIcon('ellipsis');
        item.command = {
          title: 'Open Settings',
          command: 'workbench.action.openSettings',
          arguments: ['goldlens.maxProblems'],
        };
        return item;
      }
    }
  }

  #pairItem({ pair, uri }: PairNode): vscode.TreeItem {
    const item = new vscode.TreeItem(nameOf(pair), vscode.TreeItemCollapsibleState.Collapsed);
    const score = this.#scoreOf(uri);
    item.id = pair.pred;
    item.contextValue = 'pair';
    item.description = pair.trouble ?? (score ? summary(score) : '');
    item.tooltip = new vscode.MarkdownString(
      `${vscode.workspace.asRelativePath(uri)}${score ? `\n\n${scoreTable(score)}` : ''}`,
    );
    const refused = pair.trouble !== null || (score?.would_refuse.length ?? 0) > 0;
    item.iconPath = new vscode.ThemeIcon(refused ? 'warning' : pair.open ? 'edit' : 'file');
    return item;
  }

  #metricItem({ pair, uri }: PairNode, metric: string): vscode.TreeItem {
    const item = new vscode.TreeItem(metric);
    const score = this.#scoreOf(uri);
    const value = figure(score?.metrics?.[metric]);
    const row = this.#rows.get(pair.pred)?.find((each) => each.metric === metric);
    item.id = `${pair.pred} ${metric}`;
    const parts = [points(value), change(score?.since_save?.[metric]), interval(row?.ci)];
    item.description = parts.filter((part) => part).join('  ');
    item.iconPath = new vscode.ThemeIcon('symbol-numeric');
    const { precision, recall } = score?.metrics?.[metric] ?? {};
    if (precision !== undefined) {
      item.tooltip = `Precision ${points(precision)}, recall ${points(recall)}, F1 ${points(value)}`;
    }
    return item;
  }

  async #golds(): Promise<Node[]> {
    if (this.session.state.kind !== 'running') return [];
    const known = (await pairs(this.session)).filter((pair) => pair.gold);
    this.#nodes.clear();
    const golds = new Map<string, PairNode[]>();
    for (const pair of known) {
      const uri = vscode.Uri.parse(pair.pred);
      const node: PairNode = { kind: 'pair', pair, uri };
      this.#nodes.set(uri.toString(), node);
      golds.set(pair.gold!, [...(golds.get(pair.gold!) ?? []), node]);
    }
    return [...golds].map(([gold, nodes]) => ({ kind: 'gold', gold, pairs: nodes }));
  }

  #figures(node: PairNode): Node[] {
    if (!this.#rows.has(node.pair.pred)) void this.#askRows(node);
    const metrics = this.#scoreOf(node.uri)?.metrics ?? {};
    const figures = Object.keys(metrics)
      .filter((metric) => !metric.includes('/') && metrics[metric] !== null)
      .map((metric): Node => ({ kind: 'metric', pair: node, metric }));
    const problems = problemsOf(ownProblems(node.uri));
    return problems.shown ? [{ kind: 'problems', pair: node, problems }, ...figures] : figures;
  }

  #scoreOf(uri: vscode.Uri): Score | undefined {
    return this.scoreboard.of(uri) ?? this.#scores.get(uri.toString());
  }

  async #askScores(nodes: readonly PairNode[]): Promise<void> {
    const unknown = nodes.filter(({ uri, pair }) => !pair.trouble && !this.#scoreOf(uri));
    for (const node of unknown.slice(0, ASKED)) {
      try {
        const argument = { uri: node.pair.pred };
        const score = await this.session.ask<Score | null>('goldlens.score', argument);
        if (!score) continue;
        this.#scores.set(node.uri.toString(), score);
        this.#changes.fire(node);
      } catch (error) {
        this.session.log.warn(`no score of ${node.pair.pred}: ${(error as Error).message}`);
      }
    }
  }

  /** Intervals by the lenient policy: what an editor shows is never refused. */
  async #askRows(node: PairNode): Promise<void> {
    this.#rows.set(node.pair.pred, []);
    try {
      const argument = { uri: node.pair.pred, format: 'json', policy: 'lenient' };
      const rows = JSON.parse(await this.session.ask<string>('goldlens.rows', argument)) as Row[];
      this.#rows.set(node.pair.pred, rows);
      this.#changes.fire(node);
    } catch (error) {
      this.session.log.warn(`no intervals of ${node.pair.pred}: ${(error as Error).message}`);
    }
  }

  #changed(uri: vscode.Uri): void {
    const node = this.#nodes.get(uri.toString());
    if (!node) return this.#reload();
    this.#rows.delete(node.pair.pred);
    this.#show(uri);
  }

  /** A prediction's figures once nothing has changed for a moment. */
  #show(uri: vscode.Uri): void {
    const node = this.#nodes.get(uri.toString());
    if (!node) return;
    clearTimeout(this.#waiting.get(node.pair.pred));
    this.#waiting.set(
      node.pair.pred,
      setTimeout(() => this.#changes.fire(node), 200),
    );
  }

  #reload(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#changes.fire(undefined), 500);
  }
}

/** The codes of a prediction's problems, most frequent first; and that there are more. */
function kinds(pair: PairNode, problems: Problems): Node[] {
  const nodes = problems.codes.map(([code, count]): Node => ({ kind: 'code', pair, code, count }));
  return problems.more ? [...nodes, { kind: 'cut', pair, problems }] : nodes;
}
