/** A score as a table in Markdown, for tooltips. */
import { change, figure, points } from './figures';
import type { Figures, Score } from './protocol';

/** What is beside a cell, as the editor sets the cells of a table without any room between them. */
const ROOM = '&nbsp;&nbsp;';

interface Column {
  readonly title: string;
  readonly cell: (metric: string, figures: Figures | null) => string;
}

/**
 * Every metric with precision, recall and the changes, without columns that would be empty; and
 * that the official policy would refuse.
 */
export function scoreTable(score: Score): string {
  const metrics = Object.entries(score.metrics ?? {}).filter(([name]) => !name.includes('/'));
  const all: readonly Column[] = [
    { title: 'P', cell: (_, figures) => given(figures?.precision) },
    { title: 'R', cell: (_, figures) => given(figures?.recall) },
    { title: titleOf(metrics), cell: (_, figures) => points(figure(figures)) },
    { title: 'since save', cell: (metric) => change(score.since_save?.[metric]) },
    { title: 'since open', cell: (metric) => change(score.since_open?.[metric]) },
  ];
  const columns = all.filter(({ cell }) => metrics.some((metric) => cell(...metric)));
  const lines = [
    row(['Metric', ...columns.map(({ title }) => title)]),
    `|---|${columns.map(() => '--:|').join('')}`,
    ...metrics.map(([name, figures]) => row([name, ...columns.map((c) => c.cell(name, figures))])),
  ];
  const [cause] = score.would_refuse;
  if (cause)
    lines.push(
      '',
      `The official policy would refuse this file: ${cause.code}, line ${cause.line}.`,
    );
  return lines.join('\n');
}

const row = ([first, ...others]: readonly string[]): string =>
  `| ${[first, ...others.map((cell) => ROOM + cell)].join(' | ')} |`;

/** Points; nothing where a metric has no such figure. */
const given = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : points(value);

/** What the one figure of a metric is called. */
const titleOf = (metrics: readonly (readonly [string, Figures | null])[]): string =>
  metrics.some(([, figures]) => figures && 'f1' in figures) ? 'F1' : 'Value';
