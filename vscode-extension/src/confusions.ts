/** Confusions: which columns there are, which come first, and how they are said. */
import { points } from './figures';
import type { Analysis, Confusion, Place } from './protocol';

/** What can be looked at. `cell` is the cell of a row that it stands in, from 0. */
export interface Column {
  readonly what: string;
  readonly name: string;
  readonly detail: string;
  readonly cell?: number;
}

const ALL = 'overview';

/** By task, first what is looked at if nobody has chosen. */
export const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  ud: [
    { what: ALL, name: 'All Columns', detail: 'what costs most, wherever it is' },
    { what: 'upos', name: 'UPOS', detail: '', cell: 3 },
    { what: 'xpos', name: 'XPOS', detail: '', cell: 4 },
    { what: 'feats', name: 'FEATS', detail: 'each feature by itself', cell: 5 },
    { what: 'lemma', name: 'LEMMA', detail: '', cell: 2 },
    { what: 'deprel', name: 'DEPREL', detail: 'without subtypes', cell: 7 },
    { what: 'deprel-full', name: 'DEPREL with Subtypes', detail: '', cell: 7 },
    {
      what: 'heads',
      name: 'HEAD',
      detail: 'of wrong heads: UPOS of gold’s and of this one',
      cell: 6,
    },
  ],
  span: [
    { what: 'label', name: 'Labels', detail: 'of spans, with the class of the error' },
    { what: 'class', name: 'Classes of Errors', detail: 'boundary, type, missing, spurious …' },
  ],
  classification: [{ what: 'label', name: 'Labels', detail: 'of documents' }],
};

/** The column that is chosen, or else the first one; undefined if the task has no confusions. */
export function columnOf(task: string, chosen: string | undefined): Column | undefined {
  const known = COLUMNS[task] ?? [];
  return known.find(({ what }) => what === chosen) ?? known[0];
}

export interface Listed {
  readonly column: string;
  readonly confusion: Confusion;
}

export interface Listing {
  /** The costliest first. */
  readonly listed: readonly Listed[];
  /** How many kinds of errors are not listed. */
  readonly more: number;
}

/** The confusions of a column, or of all, the costliest first. */
export function listing({ costliest, sections }: Analysis, what: string): Listing {
  const wanted = sections.filter((section) => section.what === what || what === ALL);
  const kinds = wanted.reduce((sum, { confusions }) => sum + (confusions?.distinct ?? 0), 0);
  let listed = costliest
    .filter(({ column }) => column === what || what === ALL)
    .map((confusion): Listed => ({ column: confusion.column, confusion }));
  if (listed.length === 0) {
    listed = wanted
      .flatMap(({ what, confusions }) =>
        (confusions?.listed ?? []).map((confusion) => ({ column: what, confusion })),
      )
      .sort(({ confusion: a }, { confusion: b }) => cost(b) - cost(a) || b.count - a.count);
  }
  return { listed, more: Math.max(0, kinds - listed.length) };
}

const cost = ({ gain }: Confusion): number => gain ?? -Infinity;

/** Such as “obl → nmod”, “Case: Acc → Gen” or “boundary”; with its column where all are shown. */
export function label({ column, confusion }: Listed, what: string): string {
  const { of, gold, pred } = confusion;
  const before = what === ALL && column !== 'feats' ? `${nameOf(column)} ` : '';
  if (gold === null && pred === null) return before + (of ?? NOTHING);
  return `${before}${of === null ? '' : `${of}: `}${gold ?? NOTHING} → ${pred ?? NOTHING}`;
}

const NOTHING = '–';

const ofTrees = (column: string): Column | undefined =>
  COLUMNS['ud']!.find(({ what }) => what === column);

const nameOf = (column: string): string => ofTrees(column)?.name ?? column;

/** Such as “+0.75 LAS  3×  17.6%”: what they are ordered by comes first. */
export function figures({ count, share, gain }: Confusion, metric: string): string {
  const gained = gain === null ? '' : `${signed(gain)} ${metric}`;
  return [gained, `${count}×`, `${share.toFixed(1)}%`].filter((part) => part).join('  ');
}

/** The same as a sentence. */
export function explained(listed: Listed, what: string, metric: string): string {
  const { count, share, gain, bound } = listed.confusion;
  const times = count === 1 ? 'once' : `${count} times`;
  const parts = [
    `${label(listed, what)}: ${times}, ${points(share)}% of the errors of the column.`,
  ];
  if (listed.column === 'heads') {
    parts.push('Of words with a wrong head: the UPOS of gold’s head, and of the one they have.');
  }
  if (gain !== null) parts.push(`Without it ${metric} would change by ${signed(gain)} points.`);
  if (bound !== null) {
    parts.push(`If these words were right in all that it looks at: ${signed(bound)}.`);
  }
  return parts.join(' ');
}

const signed = (value: number): string =>
  `${value <= -0.005 ? '−' : '+'}${points(Math.abs(value))}`;

/** What tells one kind of errors from another, across answers. */
export const idOf = ({ column, confusion: { of, gold, pred } }: Listed): string =>
  JSON.stringify([column, of, gold, pred]);

/** A listing in which one kind has the examples that a later answer gives. */
export function withExamples(listing: Listing, id: string, answer: readonly Listed[]): Listing {
  const places = answer.find((each) => idOf(each) === id)?.confusion.places;
  const listed = listing.listed.map((each) =>
    places && idOf(each) === id ? { ...each, confusion: { ...each.confusion, places } } : each,
  );
  return { ...listing, listed };
}

/** Where an example is, such as “garden-01, line 11”. */
export function whereabouts({ name, line, gold_line }: Place): string {
  const at = line === null ? `gold’s line ${gold_line}` : `line ${line}`;
  return name === null ? at : `${name}, ${at}`;
}

/** The cell of a row that a column of trees stands in, from 0. */
export const cellOf = (column: string): number | undefined => ofTrees(column)?.cell;

/** The characters at which a cell of a row begins and ends; 0 if it has no such cell. */
export function cellSpan(row: string, cell: number): readonly [number, number] {
  let start = 0;
  for (let at = 0; at < cell; at++) {
    const tab = row.indexOf('\t', start);
    if (tab < 0) return [0, 0];
    start = tab + 1;
  }
  const end = row.indexOf('\t', start);
  return [start, end < 0 ? row.length : end];
}
