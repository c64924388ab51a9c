// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { Block, UNTRACED, LOOK_IN, LOOK_OUT, IN_THEN_OUT, OUT_THEN_IN, NORMAL } =
  await load('model/block.ts');
const { TraceClock } = await load('model/clock.ts');
const { LogLines, MAX_LINES } = await load('model/log_lines.ts');
const { Activity } = await load('model/activity.ts');
const { RateHistory } = await load('model/rate_history.ts');
const { Heat } = await load('model/heat.ts');
const format = await load('format.ts');

const cells = (list, { whole = false, block = 0 } = {}) => ({
  what: 'pages', area: 0, whole, block,
  index: Uint16Array.from(list, (cell) => cell[0]),
  kind: Uint8Array.from(list, (cell) => cell[1]),
  before: Uint8Array.from(list, (cell) => cell[2]),
  t: Uint32Array.from(list, (cell) => cell[3]), tBefore: Uint32Array.from(list, (cell) => cell[4]),
});

test('a cell is gray, then blue or red for the hold time, then white', () => {
  const block = new Block();
  assert.equal(block.look(1, 0, 1000), UNTRACED);
  block.apply(cells([[1, 1, 0, 5000, 0], [2, 2, 0, 5000, 0]]));
  assert.equal(block.look(1, 5000, 1000), LOOK_IN);
  assert.equal(block.look(2, 5999, 1000), LOOK_OUT);
  assert.equal(block.look(1, 6000, 1000), NORMAL);
  assert.equal(block.look(1, 4990, 1000), LOOK_IN, 'an event ahead of the clock is new');
});

test('a swap-in and a swap-out within a second have both colours, in their order', () => {
  const block = new Block();
  block.apply(cells([
    [1, 2, 1, 5000, 4500], [2, 1, 2, 5000, 4500], [3, 2, 1, 5000, 3000], [4, 1, 1, 5000, 4900],
  ]));
  assert.equal(block.look(1, 5100, 1000), IN_THEN_OUT);
  assert.equal(block.look(2, 5100, 1000), OUT_THEN_IN);
  assert.equal(block.look(3, 5100, 1000), LOOK_OUT, 'the two events are too far apart');
  assert.equal(block.look(4, 5100, 1000), LOOK_IN, 'both events are swap-ins');
  assert.equal(block.look(1, 6100, 1000), NORMAL);
});

test('cells of another block or after its end change nothing; a whole block replaces all', () => {
  const block = new Block();
  assert.equal(block.apply(cells([[1, 1, 0, 1, 0]], { block: 7 })), false);
  assert.equal(block.look(1, 1, 1000), UNTRACED);
  block.apply(cells([[1, 1, 0, 1, 0], [2048, 1, 0, 1, 0]]));
  block.apply(cells([[2, 1, 0, 1, 0]], { whole: true }));
  assert.equal(block.look(1, 1, 1000), UNTRACED);
  assert.equal(block.look(2, 1, 1000), LOOK_IN);
});

test('the clock advances between messages for a limited time, and not in the past', () => {
  const clock = new TraceClock();
  clock.set(1000, 50, 1, true, false);
  assert.equal(clock.now(150), 1100);
  assert.equal(clock.now(99_999), 2500);
  clock.set(1000, 50, 10, true, false);
  assert.equal(clock.now(150), 2000);
  clock.set(700, 50, 1, false, false);
  assert.equal(clock.now(9999), 700);
  clock.set(3000, 100, 1, true, true);
  clock.set(3000, 900, 1, true, true);
  assert.equal(clock.now(5100), 8000, 'cells still fade after the end of a trace');
});

test('the log is bounded and counts skipped lines', () => {
  const log = new LogLines();
  const events = (from, n) =>
    Array.from({ length: n }, (_, i) => ({ seq: from + i, t: 0, kind: 'in' }));
  assert.equal(log.apply({ lines: events(1, 10), more: 0 }), 0);
  log.apply({ lines: [], more: 5 });
  log.apply({ lines: events(20, 1), more: 7 });
  assert.deepEqual(log.lines[10], { more: 12 });
  assert.equal(log.notLogged, 12);
  assert.equal(log.apply({ lines: events(100, MAX_LINES), more: 0 }), 12);
  assert.equal(log.lines.length, MAX_LINES);
  log.apply({ lines: events(9, 1), more: 0, reset: true });
  assert.deepEqual([log.lines.length, log.notLogged], [1, 0]);
});

test('earlier lines replace the count of missing ones, and are requested once', () => {
  const log = new LogLines();
  const events = (from, n) =>
    Array.from({ length: n }, (_, i) => ({ seq: from + i, t: from + i, kind: 'in' }));
  log.apply({ lines: events(500, 10), more: 40, reset: true });
  assert.equal(log.requestBefore().seq, 500);
  assert.equal(log.requestBefore(), null, 'the request is pending');
  assert.equal(log.apply({ lines: events(300, 200), more: 0, before: 500, first: false }), -199);
  assert.deepEqual(log.lines.map((line) => line.seq), events(300, 210).map((event) => event.seq));
  assert.equal(
    log.apply({ lines: events(1, 9), more: 0, before: 500 }), -0,
    'the answer to an outdated request is ignored');
  assert.equal(log.requestBefore().seq, 300);
  log.apply({ lines: events(250, 50), more: 0, before: 300, first: true });
  assert.equal(log.requestBefore(), null, 'no earlier line exists');
  log.reading = true;
  assert.equal(
    log.apply({ lines: events(600, MAX_LINES), more: 0 }), 0,
    'lines are kept while the user reads them');
  log.reading = false;
  assert.equal(log.apply({ lines: [], more: 0 }), 260);
});

test('rates: later entries replace earlier ones, minutes replace their seconds', () => {
  const rates = new RateHistory();
  rates.apply({ seconds: [[0, 10, 1, 9, 100], [1000, 20, 2, 18, null]] });
  rates.apply({ seconds: [[1000, 30, 2, 28, 50]] });
  assert.deepEqual(rates.seconds(), [[0, 10, 1, 9, 100], [1000, 30, 2, 28, 50]]);
  assert.deepEqual(rates.buckets(10_000), [{ t: 0, ins: 40, outs: 3, major: 37 }]);
  rates.apply({ minutes: [[0, 600, 60, 540, 80]], seconds: [[61_000, 1, 1, 1, 1]] });
  assert.deepEqual(rates.seconds(), [[0, 10, 1, 9, 80], [61_000, 1, 1, 1, 1]]);
  assert.deepEqual(rates.buckets(60_000).map((bucket) => bucket.ins), [600, 1]);
});

test('activity keeps the seconds after the moment that is shown', () => {
  const activity = new Activity();
  activity.apply({
    seconds: [[0, 10, 0, 0, null], [1000, 20, 30, 0, null], [5000, 0, 4, 0, null]],
  });
  activity.apply({ seconds: [[0, 10, 0, 0, null], [1000, 5, 0, 0, null]], reset: true });
  const { ins, outs, most } = activity.columns(0, 10_000, 10);
  assert.deepEqual([...ins], [10, 20, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...outs], [0, 30, 0, 0, 0, 4, 0, 0, 0, 0]);
  assert.equal(most, 50);
  const few = activity.columns(0, 10_000, 2);
  assert.deepEqual(
    [[...few.ins], [...few.outs]], [[20, 0], [30, 4]], 'each column has its busiest second');
  activity.apply({ minutes: [[0, 600, 60, 0, null]] });
  assert.deepEqual([...activity.columns(0, 60_000, 1).ins], [10], 'a minute replaces its seconds');
});

test('buckets without events are zero', () => {
  const rates = new RateHistory();
  rates.apply({ seconds: [[0, 1, 0, 0, null], [30_000, 1, 0, 0, null]] });
  assert.deepEqual(rates.buckets(10_000).map((bucket) => bucket.ins), [1, 0, 0, 1]);
});

test('heat comes from new events, and cools', () => {
  const heat = new Heat();
  heat.resize(4);
  const overview = (whole, ins, late = 0) => ({
    what: 'overview',
    whole,
    block: Uint32Array.of(2, 9),
    ins: Uint32Array.of(ins, 1),
    outs: Uint32Array.of(0, 0),
    lateIns: Uint32Array.of(late, 0),
    lateOuts: Uint32Array.of(0, 0),
  });
  heat.apply(overview(true, 100));
  assert.equal(heat.hotIns[2], 0, 'earlier sums give no heat');
  heat.cool(5000);
  heat.apply(overview(false, 180, 999));
  assert.equal(heat.hotIns[2], 80);
  assert.equal(heat.cool(6500), true);
  assert.ok(Math.abs(heat.hotIns[2] - 40) < 0.01);
  assert.equal(heat.cool(6500), true, 'nothing cools while the time is held');
  assert.ok(Math.abs(heat.hotIns[2] - 40) < 0.01);
  assert.equal(heat.cool(60_000), false);
  heat.apply(overview(true, 50, 30));
  assert.equal(heat.hotIns[2], 30, 'a past moment has the heat of that moment');
  heat.cool(2000);
  assert.equal(heat.hotIns[2], 30, 'an earlier moment does not cool it');
});

test('numbers are formatted', () => {
  assert.equal(format.count(1234567), '1\u2009234\u2009567');
  assert.equal(format.share(1, 3), '33.3\u2009%');
  assert.equal(format.share(1, 100_000), '<\u20090.1\u2009%');
  assert.equal(format.share(99_999, 100_000), '>\u200999.9\u2009%');
  assert.equal(format.share(0, 0), '–');
  assert.equal(format.mib(2048, 4096), '8.0\u2009MiB');
  assert.equal(format.mib(300_000, 4096), '1\u2009172\u2009MiB');
  assert.equal(format.mib(1, 4096), '<\u20090.1\u2009MiB');
  assert.equal(format.mib(0, 4096), '0.0\u2009MiB');
  assert.equal(format.micros(412), '412\u2009µs');
  assert.equal(format.micros(1400), '1.40\u2009ms');
  assert.equal(format.timeOfDay(Date.UTC(2026, 0, 1, 23, 59, 1, 5), 60), '00:59:01.005');
  assert.equal(format.date(Date.UTC(2026, 0, 1, 23, 59), 60), '2026-01-02');
  assert.equal(format.hex('1b000'), '0001B000');
  assert.equal(format.elapsed(128_100), '2:08.1');
});

test('frame numbers are parsed as users type them', () => {
  assert.equal(format.parseFrame(' 0x1A2b3 '), 0x1a2b3);
  assert.equal(format.parseFrame('1A2B3'), 0x1a2b3);
  assert.equal(format.parseFrame('#2048'), 2048);
  for (const text of ['', '0x', 'xyz', '-1', '1.5', '#1A', '123456789abcdef'])
    assert.equal(format.parseFrame(text), null, text);
});

test('unique pages of a process that could not be read are unknown, and less than 0', async () => {
  const { ownerLists, UNKNOWN } = await load('snapshot/owner_lists.ts');
  const { RowOrder } = await load('snapshot/row_order.ts');
  const processes = [
    { tgid: 7, comm: 'hidden', resident: 100, swapped: 3 },
    { tgid: 9, comm: 'empty', resident: 0, unique: 0, swapped: 0 },
    { tgid: 8, comm: 'seen', resident: 1, unique: 1, swapped: 0 },
  ];
  const facts = { processes, areas: [], units: [] };
  const [list] = ownerLists({ snapshot: { facts, frame: [], area: [], pages: [] }, ram: null });
  const unique = list.columns.findIndex(({ title }) => title === 'Unique');
  assert.deepEqual([0, 1, 2].map(list.columns[unique].value), [UNKNOWN, 0, 1]);
  assert.deepEqual([...new RowOrder(list, unique, true, () => true).rows('')], [2, 1, 0]);
});
