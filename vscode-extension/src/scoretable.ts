/** A score as a table in Markdown, for tooltips. */
import { change, figure, points } from './figures';
import type { Score } from './protocol';

/** Every metric with precision, recall and the changes; and that the official policy would refuse. */
export function scoreTable(score: Score): string {
  const lines = ['| Metric | P | R | F1 | since save | since open |', '|---|--:|--:|--:|--:|--:|'];
  for (const [name, figures] of Object.entries(score.metrics ?? {})) {
    if (name.includes('/')) continue;
    const cells = [
      points(figures?.precision),
      points(figures?.recall),
      points(figure(figures)),
      change(score.since_save?.[name]),
      change(score.since_open?.[name]),
    ];
    lines.push(`| ${name} | ${cells.join(' | ')} |`);
  }
  const [cause] = score.would_refuse;
  if (cause)
    lines.push(
      '',
      `The official policy would refuse this file: ${cause.code}, line ${cause.line}.`,
    );
  return lines.join('\n');
}
