/** Figures as they are shown: which metric stands for a task, points, changes, intervals. */
import type { Figures, Interval, Score } from './protocol';

const HEADLINES: Readonly<Record<string, readonly string[]>> = {
  ud: ['LAS', 'UPOS', 'Tokens'],
  span: ['Micro'],
  classification: ['Micro', 'Accuracy', 'ROC-AUC'],
  stemming: ['UI'],
};

/** The one figure of a metric: its F1, or its value; undefined where it has none. */
export function figure(figures: Figures | null | undefined): number | undefined {
  return figures?.f1 ?? figures?.value ?? undefined;
}

/** The metric that stands for a score: the one preferred, if the score has it, else its task's. */
export function headline(score: Score, preferred = ''): string | undefined {
  const names = [preferred, ...(HEADLINES[score.task] ?? []), ...Object.keys(score.metrics ?? {})];
  return names.find((name) => figure(score.metrics?.[name]) !== undefined);
}

/** Points with two decimals. */
export function points(value: number | null | undefined): string {
  return value === null || value === undefined ? 'n/a' : value.toFixed(2);
}

/** A change in points with its sign, such as +0.75 or −1.51; empty where it would read 0.00. */
export function change(value: number | null | undefined): string {
  if (value === null || value === undefined || Math.abs(value) < 0.005) return '';
  return `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(2)}`;
}

/** An interval, such as [80.48, 86.55]; empty where there is none. */
export function interval(bounds: Interval | null | undefined): string {
  return bounds ? `[${points(bounds[0])}, ${points(bounds[1])}]` : '';
}

/** What the status bar says of a score, such as “LAS 83.77 +0.75”. */
export function summary(score: Score, preferred = ''): string {
  const name = headline(score, preferred);
  if (name === undefined) return 'not scored';
  const parts = [name, points(figure(score.metrics?.[name])), change(score.since_save?.[name])];
  return parts.filter((part) => part).join(' ');
}

/** The metrics that a score has, and which of them are picked: those wanted, or else the plain ones. */
export function metricsToOffer(
  score: Score | null | undefined,
  wanted: readonly string[],
): { readonly name: string; readonly picked: boolean }[] {
  const names = Object.keys(score?.metrics ?? {}).filter(
    (name) => figure(score?.metrics?.[name]) !== undefined,
  );
  const known = wanted.filter((name) => names.includes(name));
  const extra = names.filter((name) => !known.includes(name));
  return [...known, ...extra].map((name) => ({
    name,
    picked: known.length ? known.includes(name) : !name.includes('/'),
  }));
}
