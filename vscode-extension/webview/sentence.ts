/** The page of the tree: draws what it is sent, and says which word is asked for. */
import { dependents, describeTree, describeWord, headOf } from '../src/drawing/describe';
import { layout, type DrawnArc, type Drawing } from '../src/drawing/layout';
import { bringing, centring } from '../src/drawing/sight';
import type { Tree } from '../src/protocol';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

type Message =
  | { readonly type: 'tree'; readonly tree: Tree; readonly current: number | undefined }
  | { readonly type: 'nothing'; readonly reason: string };

const SVG = 'http://www.w3.org/2000/svg';
const editor = acquireVsCodeApi();
const pane = document.getElementById('pane')!;
const place = document.getElementById('tree')!;
const title = document.getElementById('title')!;
const legend = document.getElementById('legend')!;
const problems = document.getElementById('problems')!;
const pencil = document.createElement('canvas').getContext('2d')!;

let tree: Tree | undefined;
/** The word of the cursor, if the tree that is shown has it. */
let marked: number | undefined;
/** The word that has the focus, or takes it when the page has. */
let focused = 0;

window.addEventListener('message', (event: MessageEvent<Message>) => {
  const message = event.data;
  if (message.type === 'tree') show(message.tree, message.current);
  else nothing(message.reason);
});
window.addEventListener('focus', () => {
  if (hasFocus()) focus(focused);
});
new ResizeObserver(() => seek(focused)).observe(pane);
editor.postMessage({ type: 'ready' });

/** Whether the keys are for the tree: the page has the focus, and nothing else in it. */
function hasFocus(): boolean {
  const active = document.activeElement;
  return document.hasFocus() && (active === document.body || place.contains(active));
}

function nothing(reason: string): void {
  tree = undefined;
  marked = undefined;
  title.textContent = reason;
  legend.hidden = true;
  place.replaceChildren();
  problems.replaceChildren();
}

function show(next: Tree, current: number | undefined): void {
  const hadFocus = hasFocus();
  const same = tree?.sent_id === next.sent_id && tree.line === next.line;
  const moved = current !== marked;
  tree = next;
  marked = current;
  if (!hadFocus || !same) focused = current ?? 0;
  focused = Math.min(focused, next.words.length - 1);
  title.textContent = describeTree(next);
  legend.hidden = next.words.every((word) => word.gold === null);
  const drawing = layout(next, widthOf);
  place.replaceChildren(draw(next, drawing, current));
  problems.replaceChildren(...next.problems.map(item));
  // From the right, the pane is scrolled to its beginning there.
  pane.dir = drawing.rtl ? 'rtl' : 'ltr';
  if (!same) begin(focused);
  else if (moved) seek(current ?? focused);
  if (hadFocus) focus(focused);
}

/** Scrolls to the beginning of another sentence, and from there to a word in the middle of the height. */
function begin(index: number): void {
  pane.scrollTo({ left: 0, top: 0, behavior: 'instant' });
  scroll(index, centring, 'instant');
}

/** Brings a word into sight. */
function seek(index: number): void {
  scroll(index, bringing, 'auto');
}

function scroll(index: number, upright: typeof bringing, behavior: ScrollBehavior): void {
  const word = wordAt(index)?.getBoundingClientRect();
  if (!word) return;
  const box = pane.getBoundingClientRect();
  // Without the scroll bars.
  const left = box.left + pane.clientLeft;
  const across = { from: left, to: left + pane.clientWidth };
  const down = { from: box.top, to: box.top + pane.clientHeight };
  pane.scrollTo({
    left: pane.scrollLeft + bringing(across, { from: word.left, to: word.right }),
    top: pane.scrollTop + upright(down, { from: word.top, to: word.bottom }),
    behavior,
  });
}

function wordAt(index: number): SVGElement | null {
  return place.querySelector(`.word[data-index="${index}"]`);
}

function widthOf(text: string): number {
  pencil.font = getComputedStyle(document.body).font;
  return pencil.measureText(text).width;
}

function draw(tree: Tree, drawing: Drawing, current: number | undefined): SVGElement {
  const svg = element('svg', {
    width: drawing.width,
    height: drawing.height,
    viewBox: `0 0 ${drawing.width} ${drawing.height}`,
    role: 'listbox',
    'aria-label': describeTree(tree),
  });
  // Wrong arcs last, so that they lie over the others.
  const arcs = [...drawing.arcs].sort((a, b) => Number(a.wrong) - Number(b.wrong));
  svg.append(...arcs.map((arc) => arcElement(tree, arc)));
  drawing.words.forEach((place, index) => {
    const word = tree.words[index]!;
    const state = word.correct === false ? ' wrong' : '';
    const group = element('g', {
      class: `word${state}${index === current ? ' current' : ''}`,
      role: 'option',
      tabindex: index === focused ? 0 : -1,
      'aria-label': describeWord(tree, index),
      'aria-selected': index === current ? 'true' : 'false',
      'data-index': index,
    });
    const left = place.x - place.width / 2 - 5;
    group.append(
      element('rect', {
        x: left,
        y: drawing.baseline - 14,
        width: place.width + 10,
        height: 36,
        rx: 3,
      }),
      text(word.form, place.x, drawing.baseline, 'form'),
      text(word.upos, place.x, drawing.baseline + 16, 'upos'),
    );
    group.addEventListener('click', () => reveal(index));
    group.addEventListener('keydown', (event) => pressed(event, index, drawing.rtl));
    svg.append(group);
  });
  return svg;
}

function arcElement(tree: Tree, arc: DrawnArc): SVGElement {
  const group = element('g', {
    class: `arc ${arc.side}${arc.wrong ? ' wrong' : ''}`,
    'aria-hidden': 'true',
  });
  const label = arc.wrong && arc.side === 'pred' ? `✗ ${arc.label}` : arc.label;
  const wide = widthOf(label) * 0.85 + 6;
  const name = document.createElementNS(SVG, 'title');
  name.textContent = describeWord(tree, arc.dependent);
  group.append(
    name,
    element('path', { d: arc.path, class: 'hit' }),
    element('path', { d: arc.path, class: 'line' }),
    element('polygon', { points: arc.arrow }),
    element('rect', { x: arc.x - wide / 2, y: arc.y - 8, width: wide, height: 16 }),
    text(label, arc.x, arc.y + 4, 'label'),
  );
  group.addEventListener('click', () => reveal(arc.dependent));
  return group;
}

/** Arrows go along the sentence and along the tree, Enter to the word's line in the editor. */
function pressed(event: Event, index: number, rtl: boolean): void {
  if (!tree || !(event instanceof KeyboardEvent)) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const forward = rtl ? 'ArrowLeft' : 'ArrowRight';
  const back = rtl ? 'ArrowRight' : 'ArrowLeft';
  const wrong = tree.words.flatMap((word, number) => (word.correct === false ? [number] : []));
  const targets: Readonly<Record<string, () => number | undefined>> = {
    [forward]: () => Math.min(index + 1, tree!.words.length - 1),
    [back]: () => Math.max(index - 1, 0),
    Home: () => 0,
    End: () => tree!.words.length - 1,
    ArrowUp: () => headOf(tree!, tree!.words[index]!),
    ArrowDown: () => dependents(tree!, index)[0],
    e: () => wrong.find((number) => number > index) ?? wrong[0],
  };
  if (event.key === 'Enter' || event.key === ' ') reveal(index);
  else if (targets[event.key]) {
    const target = targets[event.key]!();
    if (target !== undefined) {
      focus(target);
      seek(target);
    }
  } else return;
  event.preventDefault();
}

/** Gives a word the focus, wherever it is scrolled to. */
function focus(index: number): void {
  wordAt(focused)?.setAttribute('tabindex', '-1');
  focused = index;
  const word = wordAt(index);
  word?.setAttribute('tabindex', '0');
  word?.focus({ preventScroll: true });
}

function reveal(index: number): void {
  const word = tree?.words[index];
  if (word) editor.postMessage({ type: 'reveal', line: word.line });
}

function item(problem: Tree['problems'][number]): HTMLElement {
  const button = document.createElement('button');
  button.textContent = `${problem.line + 1}: ${problem.message} (${problem.code})`;
  button.addEventListener('click', () =>
    editor.postMessage({ type: 'reveal', line: problem.line }),
  );
  const entry = document.createElement('li');
  entry.className = problem.severity;
  entry.append(button);
  return entry;
}

function text(content: string, x: number, y: number, kind: string): SVGElement {
  const node = element('text', { x, y, class: kind, 'text-anchor': 'middle' });
  node.textContent = content;
  return node;
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const node = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}
