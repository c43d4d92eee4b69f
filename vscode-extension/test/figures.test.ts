import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, headline, interval, metricsToOffer, points, summary } from '../src/figures';
import type { Score } from '../src/protocol';
import { scoreTable } from '../src/scoretable';

const score = (
  task: string,
  metrics: Score['metrics'],
  since: Score['since_save'] = {},
): Score => ({
  uri: 'file:///p',
  version: 1,
  task,
  gold: { path: '/g' },
  metrics,
  since_save: since,
  since_open: since,
  would_refuse: [],
});

test('each task has a metric that stands for it', () => {
  assert.equal(headline(score('ud', { UPOS: { f1: 1 }, LAS: { f1: 2 } })), 'LAS');
  assert.equal(headline(score('ud', { UPOS: { f1: 1 }, LAS: null })), 'UPOS');
  assert.equal(headline(score('stemming', { OI: { value: 1 }, UI: { value: 2 } })), 'UI');
  assert.equal(headline(score('other', { New: { value: 1 } })), 'New');
  assert.equal(headline(score('ud', null)), undefined);
});

test('a preferred metric counts where there is one of that name', () => {
  const both = score('ud', { UPOS: { f1: 1 }, LAS: { f1: 2 } });
  assert.equal(headline(both, 'UPOS'), 'UPOS');
  assert.equal(headline(both, 'Micro'), 'LAS');
});

test('points, changes and intervals', () => {
  assert.equal(points(83.774), '83.77');
  assert.equal(points(null), 'n/a');
  assert.equal(change(0.754), '+0.75');
  assert.equal(change(-0.754), '−0.75');
  assert.equal(change(0.004), '');
  assert.equal(interval([1, 2]), '[1.00, 2.00]');
  assert.equal(interval(null), '');
});

test('the summary has the change since the last save', () => {
  const told = score('ud', { LAS: { f1: 84.53 } }, { LAS: 0.7547 });
  assert.equal(summary(told), 'LAS 84.53 +0.75');
  assert.equal(summary(score('ud', null)), 'not scored');
});

test('the table says that the official policy would refuse', () => {
  const refused = {
    ...score('ud', { LAS: { f1: 1 } }),
    would_refuse: [{ side: 'pred', sent_id: 's', line: 7, code: 'head-cycle' }],
  };
  assert.match(scoreTable(refused), /would refuse this file: head-cycle, line 7\./);
});

/** A table as it shows, without the room beside its cells. */
const shownTable = (of: Score): string[] => scoreTable(of).replaceAll('&nbsp;', '').split('\n');

test('the table has no column that would be empty', () => {
  const las = { precision: 50, recall: 25, f1: 33.333 };
  assert.deepEqual(shownTable(score('ud', { LAS: las, UPOS: { f1: 1 } })), [
    '| Metric | P | R | F1 |',
    '|---|--:|--:|--:|',
    '| LAS | 50.00 | 25.00 | 33.33 |',
    '| UPOS |  |  | 1.00 |',
  ]);
  assert.deepEqual(shownTable(score('stemming', { UI: { value: 2 } }, { UI: 0.5 })), [
    '| Metric | Value | since save | since open |',
    '|---|--:|--:|--:|',
    '| UI | 2.00 | +0.50 | +0.50 |',
  ]);
});

test('metrics that are offered: those chosen before come first, else all that are plain', () => {
  const all = score('stemming', {
    UI: { value: 1 },
    OI: { value: 2 },
    SW: null,
    'first/UI': { value: 3 },
  });
  const picked = (wanted: string[]): string[] =>
    metricsToOffer(all, wanted).map(({ name, picked }) => `${picked ? '+' : '-'}${name}`);
  assert.deepEqual(picked([]), ['+UI', '+OI', '-first/UI']);
  assert.deepEqual(picked(['OI', 'Gone']), ['+OI', '-UI', '-first/UI']);
  assert.deepEqual(picked(['Gone']), ['+UI', '+OI', '-first/UI']);
  assert.deepEqual(metricsToOffer(null, ['LAS']), []);
});
