/** The view “Confusions”: what the prediction in the editor takes for what, and what that costs. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import * as confusions from '../confusions';
import type { Column, Listed, Listing } from '../confusions';
import type { Analysis, Place } from '../protocol';
import type { Scoreboard } from '../scoreboard';
import type { Session } from '../server/session';

type Node =
  | { readonly kind: 'confusion'; readonly shown: Shown; readonly listed: Listed }
  | {
      readonly kind: 'place';
      readonly shown: Shown;
      readonly listed: Listed;
      readonly place: Place;
    }
  | {
      readonly kind: 'more';
      readonly id: string;
      readonly text: string;
      /** Undefined where it cannot be shown. */
      readonly more: More | undefined;
    };

/** More is wanted of a prediction: examples `of` one kind of errors, or else kinds. */
export interface More {
  readonly uri: vscode.Uri;
  readonly of: Listed | undefined;
}

/** An example to be gone to: its file, its line from 0, and the cell of the row. */
export interface Example {
  readonly uri: vscode.Uri;
  readonly line: number;
  readonly cell: number | undefined;
}

/** What is shown: of which file, by which column, and what gold it faces. */
interface Shown {
  readonly uri: vscode.Uri;
  readonly gold: vscode.Uri;
  readonly column: Column;
  readonly metric: string;
  readonly listing: Listing;
}

/** So many kinds of errors are listed at first, and so many more whenever more are wanted. */
const LISTED = 50;

/** So many examples are shown where more than the first ones are wanted. */
const EXAMPLES = 200;

/** Columns are aligned so long after a text is shown, in milliseconds. */
const ALIGNED = 150;

/** It is asked anew when nothing has changed for so many milliseconds, or as long as it took last. */
const PAUSE = 1000;

export class ConfusionsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #listening: vscode.Disposable;
  #uri: vscode.Uri | undefined;
  #listed = LISTED;
  #shown: Shown | undefined;
  /** Whether what is shown may no longer be so. */
  #stale = true;
  #soon: NodeJS.Timeout | undefined;
  /** How long the last answer took, in milliseconds. */
  #took = 0;
  #asking: vscode.CancellationTokenSource | undefined;

  constructor(
    readonly session: Session,
    readonly scoreboard: Scoreboard,
    readonly memory: vscode.Memento,
  ) {
    this.#view = vscode.window.createTreeView('goldlens.confusions', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.#listening = vscode.Disposable.from(
      this.#view,
      this.#view.onDidChangeVisibility(() => this.#stale && this.#update(0)),
      vscode.window.onDidChangeActiveTextEditor(() => this.#turn()),
      scoreboard.onChange((uri) => this.#changed(uri)),
    );
    this.#turn();
  }

  /** Asks which column is shown from now on. */
  async chooseColumn(): Promise<void> {
    const task = this.#uri && this.scoreboard.of(this.#uri)?.task;
    const columns = task === undefined ? [] : (confusions.COLUMNS[task] ?? []);
    if (task === undefined || columns.length === 0) {
      const message = 'Open a prediction of trees, spans or classes that has gold.';
      void vscode.window.showInformationMessage(message);
      return;
    }
    const current = confusions.columnOf(task, this.memory.get(key(task)));
    const items = columns.map((column) => ({
      label: column.name,
      description: [column.detail, column === current ? '(shown)' : '']
        .filter((part) => part)
        .join(' '),
      what: column.what,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      placeHolder: 'Confusions of which column?',
    });
    if (!chosen) return;
    await this.memory.update(key(task), chosen.what);
    await vscode.commands.executeCommand('goldlens.confusions.focus');
    this.#update(0);
  }

  /** Shows more kinds of errors, or more examples of one. */
  async showMore({ uri, of }: More): Promise<void> {
    const shown = this.#shown;
    if (!of || !shown) {
      this.#listed += LISTED;
      return this.#update(0);
    }
    const argument = { uri: uri.toString(), what: of.column, top: this.#listed };
    const options = { location: { viewId: 'goldlens.confusions' } };
    const analysis = await vscode.window.withProgress(options, () =>
      this.session.ask<Analysis>('goldlens.analyze', { ...argument, examples: EXAMPLES }),
    );
    if (shown !== this.#shown) return;
    const { listed } = confusions.listing(analysis, of.column);
    const listing = confusions.withExamples(shown.listing, confusions.idOf(of), listed);
    this.#show({ ...shown, listing }, '');
  }

  dispose(): void {
    clearTimeout(this.#soon);
    this.#asking?.dispose();
    this.#listening.dispose();
    this.#changes.dispose();
  }

  getChildren(node?: Node): Node[] {
    if (!node) return this.#shown ? kinds(this.#shown) : [];
    return node.kind === 'confusion' ? places(node.shown, node.listed) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'confusion':
        return confusionItem(node.shown, node.listed);
      case 'place':
        return placeItem(node.shown, node.listed, node.place);
      case 'more': {
        const item = new vscode.TreeItem(node.text);
        item.id = `more ${node.id}`;
        item.iconPath = new vscode.ThemeIcon('ellipsis');
        if (node.more) {
          item.command = {
            title: 'Show More',
            command: 'goldlens.ui.moreConfusions',
            arguments: [node.more],
          };
        }
        return item;
      }
    }
  }

  /** The prediction in the editor; elsewhere the last one stays. */
  #turn(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (!uri || uri.toString() === this.#uri?.toString() || !this.scoreboard.of(uri)) return;
    this.#uri = uri;
    this.#listed = LISTED;
    this.#update(0);
  }

  #changed(uri: vscode.Uri): void {
    if (uri.toString() === this.#uri?.toString()) this.#update(Math.max(PAUSE, this.#took));
    else this.#turn();
  }

  #update(pause: number): void {
    this.#stale = true;
    clearTimeout(this.#soon);
    if (this.#view.visible) this.#soon = setTimeout(() => void this.#ask(), pause);
  }

  /** Asks the server; a question that another one overtakes is dropped. */
  async #ask(): Promise<void> {
    this.#asking?.cancel();
    const asking = (this.#asking = new vscode.CancellationTokenSource());
    this.#stale = false;
    const uri = this.#uri;
    const score = uri && this.scoreboard.of(uri);
    if (!uri || !score) return this.#show(undefined, '');
    const column = confusions.columnOf(score.task, this.memory.get(key(score.task)));
    if (!column) return this.#show(undefined, 'Of stems there are no confusions.');
    const argument = { uri: uri.toString(), what: column.what, top: this.#listed };
    const began = Date.now();
    try {
      const analysis = await vscode.window.withProgress(
        { location: { viewId: 'goldlens.confusions' } },
        () => this.session.ask<Analysis>('goldlens.analyze', argument, asking.token),
      );
      if (asking !== this.#asking) return;
      this.#took = Date.now() - began;
      const listing = confusions.listing(analysis, column.what);
      const gold = vscode.Uri.file(score.gold.path);
      const nothing = listing.listed.length ? '' : 'No errors.';
      this.#show({ uri, gold, column, metric: analysis.metric, listing }, nothing);
    } catch (error) {
      if (asking === this.#asking) this.#show(undefined, (error as Error).message);
    } finally {
      asking.dispose();
    }
  }

  #show(shown: Shown | undefined, message: string): void {
    this.#shown = shown;
    this.#view.description = shown
      ? `${shown.column.name}, ${path.basename(shown.uri.fsPath)}`
      : '';
    this.#view.message = message;
    this.#changes.fire(undefined);
  }
}

const key = (task: string): string => `confusions.${task}`;

function kinds(shown: Shown): Node[] {
  const { uri, listing } = shown;
  const nodes = listing.listed.map((each): Node => ({ kind: 'confusion', shown, listed: each }));
  if (listing.more === 0) return nodes;
  const more = { uri, of: undefined };
  return [...nodes, { kind: 'more', id: 'kinds', text: `${listing.more} more kinds…`, more }];
}

function places(shown: Shown, listed: Listed): Node[] {
  const { count, places } = listed.confusion;
  const nodes = places.map((place): Node => ({ kind: 'place', shown, listed, place }));
  const left = count - places.length;
  if (left <= 0) return nodes;
  const id = confusions.idOf(listed);
  return places.length < EXAMPLES
    ? [...nodes, { kind: 'more', id, text: `${left} more…`, more: { uri: shown.uri, of: listed } }]
    : [...nodes, { kind: 'more', id, text: `${left} more are not listed`, more: undefined }];
}

function confusionItem({ column, metric }: Shown, listed: Listed): vscode.TreeItem {
  const item = new vscode.TreeItem(
    confusions.label(listed, column.what),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = confusions.idOf(listed);
  item.description = confusions.figures(listed.confusion, metric);
  item.tooltip = confusions.explained(listed, column.what, metric);
  item.accessibilityInformation = { label: item.tooltip };
  return item;
}

function placeItem({ uri, gold }: Shown, listed: Listed, place: Place): vscode.TreeItem {
  const item = new vscode.TreeItem(place.text || (place.name ?? ''));
  item.id = `${confusions.idOf(listed)} ${place.line} ${place.gold_line}`;
  item.description = confusions.whereabouts(place);
  // What is missing is in gold alone.
  const [file, line] = place.line === null ? [gold, place.gold_line!] : [uri, place.line];
  const cell = confusions.cellOf(listed.column);
  item.command = {
    title: 'Go to the Word',
    command: 'goldlens.ui.openExample',
    arguments: [{ uri: file, line: line - 1, cell } satisfies Example],
  };
  return item;
}

/** Puts the cursor into the cell of an example, and brings it into sight. */
export async function openExample({ uri, line, cell }: Example): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  const row = editor.document.validateRange(new vscode.Range(line, 0, line, Infinity));
  const [start, end] =
    cell === undefined ? [0, 0] : confusions.cellSpan(editor.document.getText(row), cell);
  const at = new vscode.Position(row.start.line, start);
  editor.selection = new vscode.Selection(at, at);
  const reveal = (): void =>
    editor.revealRange(
      new vscode.Range(at, at.with({ character: end })),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  reveal();
  // Where the cell stands is known only when the columns around are aligned.
  setTimeout(reveal, ALIGNED);
}
