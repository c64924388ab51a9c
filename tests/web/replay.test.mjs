// SPDX-License-Identifier: MIT
// The real server plays a trace. The page must show the events of the trace.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
  cellColours, clickCell, coloursOfCells, eventually, facts, firefoxLacks, waitForFrames,
} from './browser.mjs';
import { Machine } from './mock_machine.mjs';
import { folder, openAt, page, start, view } from './served_page.mjs';
import { traceOf } from './trace_text.mjs';

const UNTRACED = '168,174,182';
const NORMAL = '255,255,255';
const BLUE = '31,95,224';
const RED = '217,38,38';
const RATIO = 2 ** 11;

let trace;

before(() => {
  trace = traceOf(new Machine({ maxLines: 1e6 }));
  writeFileSync(join(folder, 'made.trace'), trace.text);
});

async function open(...args) {
  await start('--replay', join(folder, 'made.trace'), ...args);
  await openAt(view.url);
  await eventually('recording', () => page.locator('.cover').isHidden(), Boolean);
}

/** The colour of an event's block in the overview. */
const overviewColour = (event) => {
  const overview = page.locator('#view-pages .overview canvas');
  return overview.evaluate((canvas, block) => {
    const ratio = canvas.width / canvas.clientWidth;
    const columns = Math.floor((canvas.clientWidth - 2) / 14);
    const x = 1 + (block % columns) * 14 + 6;
    const y = 1 + Math.floor(block / columns) * 14 + 6;
    const at = [x, y].map((value) => Math.round(value * ratio));
    return [...canvas.getContext('2d').getImageData(...at, 1, 1).data.slice(0, 3)].join();
  }, Math.floor(parseInt(event.frame, 16) / RATIO));
};
const ended = () => eventually('end of the trace',
  () => page.locator('.status-time').textContent(), (text) => text.includes('trace ended'));
const number = async (selector) =>
  Number((await page.locator(selector).textContent()).replace(/\D/g, ''));
/** The colour of one cell's middle. */
const middleOf = async (view, cell) => (await cellColours(page, view, cell)).middle;
const lastOf = (wanted) => trace.events.findLast(wanted);

test('at the end of the trace, totals and losses equal the trace\'s', async () => {
  await open('--speed', '10');
  await page.locator('#tool-statistics').click();
  await ended();
  const ins = trace.events.filter((event) => event.kind === 'in').length;
  await eventually('ins', () => number('[data-total="in"]'), (found) => found === ins);
  assert.equal(await number('[data-total="out"]'), trace.events.length - ins);
  assert.equal(await number('[data-total="major faults"]'), ins);
  assert.equal(await page.locator('[data-total="lost"]').textContent(), '17');
  assert.match(await page.locator('.statusbar').textContent(), /17 lost/);
  const rows = () => page.locator('#view-processes tbody tr').allTextContents();
  await eventually('both processes', rows,
    (all) => ['371', '372'].every((tgid) => all.some((row) => row.includes(tgid))));
});

test('cells of frames in the trace are white, all others gray, ' +
  'and the inspector shows the last event (C9)', async () => {
  await open('--speed', '10');
  await ended();
  const event = lastOf((one) => one.kind === 'in');
  const frame = parseInt(event.frame, 16);
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(event.frame);
  await page.keyboard.press('Enter');
  const first = Math.floor(frame / RATIO) * RATIO;
  const touched = new Set(trace.events.map((one) => parseInt(one.frame, 16)));
  const cells = Array.from({ length: 2048 }, (_, cell) => cell).filter((cell) => cell % 97 === 0);
  const wanted = cells.map((cell) => (touched.has(first + cell) ? NORMAL : UNTRACED));
  const middles = async () =>
    (await coloursOfCells(page, 'pages', cells)).map(({ middle }) => middle);
  await eventually('colours of cells', middles, (found) => found.join() === wanted.join());
  await clickCell(page, 'pages', frame % RATIO);
  const found = await eventually('facts', () => facts(page), (all) => all.Process);
  assert.equal(found.Process, `${event.tgid} pagefault2`);
  assert.equal(parseInt(found['Page number'], 16), frame);
  assert.equal(parseInt(found['Virtual address'], 16), parseInt(event.address, 16));
  assert.equal(parseInt(found.Sector, 16), parseInt(event.sector, 16));
  const us = event.service_us;
  const serviceTime = us < 1000 ? `${us}\u2009µs` : `${(us / 1000).toFixed(2)}\u2009ms`;
  assert.equal(found['Service time'], serviceTime);
  const words = await page.locator('.status p').allTextContents();
  assert.equal(words.length, 3);
  for (const sentence of words) assert.ok(sentence.length > 5, sentence);
});

test('a cell is blue or red for one second after an event, then white', async () => {
  await open('--speed', '10');
  await ended();
  await page.keyboard.press('g');
  const shown = trace.events.find((event) => event.t >= 3000);
  await page.getByLabel('Beginning page number').fill(shown.frame);
  await page.keyboard.press('Enter');
  const colourAt = async (event, t) => {
    await page.getByLabel('Moment of the trace').fill(String(t));
    return () => middleOf('pages', parseInt(event.frame, 16) % RATIO);
  };
  const block = (event) => Math.floor(parseInt(event.frame, 16) / RATIO);
  const shownBlock = block(shown);
  for (const [kind, colour] of [['in', BLUE], ['out', RED]]) {
    // No other event has its frame from 1.1 s before to 2 s after it.
    const isAlone = (one) => !trace.events.some((other) =>
      other !== one && other.frame === one.frame &&
      other.t > one.t - 1100 && other.t < one.t + 2000);
    const event = trace.events.find((one) =>
      one.t >= 2000 && one.kind === kind && block(one) === shownBlock && isAlone(one));
    const whileHeld = await colourAt(event, event.t + 900);
    await eventually(`${kind}: coloured after 0.9 s`, whileHeld, (found) => found === colour);
    const afterwards = await colourAt(event, event.t + 1100);
    await eventually(`${kind}: white after 1.1 s`, afterwards, (found) => found === NORMAL);
  }
});

test('the log ends with the last event, and a chosen process limits it', async () => {
  await open('--speed', '10');
  await ended();
  const lines = () => page.evaluate(() => {
    const rows = [...document.querySelectorAll('.log-rows .log-row:not(.log-gap)')];
    return rows.map((row) => [...row.children].map((cell) => cell.textContent));
  });
  const last = trace.events.at(-1);
  await eventually('last line', async () => (await lines()).at(-1), (line) =>
    line !== undefined && line[1] === last.kind.toUpperCase() &&
    parseInt(line[4], 16) === parseInt(last.frame, 16));
  await page.getByLabel('Log lines of process').selectOption('371');
  await eventually('filtered', lines,
    (all) => all.length > 3 && all.every((line) => line[2].startsWith('371 ')));
});

test('the last ten events of a process are as in the trace, newest first (C4)', async () => {
  await open('--speed', '10');
  await ended();
  await page.locator('#view-processes tr[data-tgid="372"]').click();
  const wanted = trace.events.filter((event) => event.tgid === 372).slice(-10).reverse();
  const rows = () => page.evaluate(() => {
    const shown = [...document.querySelectorAll('.last-ten tbody tr:not([hidden])')];
    return shown.map((row) => [...row.children].map((cell) => cell.textContent));
  });
  const found = await eventually('ten', rows, (all) => all.length === 10 && all[0][3] !== '');
  found.forEach((row, i) => {
    assert.equal(row[1], wanted[i].kind.toUpperCase(), `row ${i}`);
    assert.equal(parseInt(row[3], 16), parseInt(wanted[i].frame, 16), `row ${i}`);
    assert.equal(parseInt(row[4], 16), parseInt(wanted[i].sector, 16), `row ${i}`);
  });
});

test('at an earlier moment, cells and totals show that moment', async () => {
  await open('--speed', '10');
  await ended();
  await page.getByLabel('Moment of the trace').fill('3000');
  const until = trace.events.filter((event) => event.t <= 3000);
  const ins = until.filter((event) => event.kind === 'in').length;
  const sums = `${ins}MiB in · ${until.length - ins}MiB out`;
  await eventually('sums', () => page.locator('.statusbar').textContent(),
    (text) => text.replace(/ \([^)]*(?=MiB)|\)|\u2009/g, '').includes(sums));
  await eventually('the overview at that moment', () => overviewColour(until.at(-1)),
    (found) => found !== UNTRACED && found !== NORMAL);
  const late = lastOf((event) => !until.some((other) => other.frame === event.frame));
  const frame = parseInt(late.frame, 16);
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(late.frame);
  await page.keyboard.press('Enter');
  const colour = () => middleOf('pages', frame % RATIO);
  await eventually('not yet traced', colour, (found) => found === UNTRACED);
  await page.keyboard.press('l');
  await eventually('traced', colour, (found) => found === NORMAL);
});

test('after its end the trace can be played again from the slider',
  firefoxLacks('messages of sockets'), async () => {
  await open('--speed', '100');
  await ended();
  await page.getByLabel('Speed of the replay').selectOption('0.25');
  await page.getByLabel('Moment of the trace').fill('3000');
  await page.getByRole('button', { name: 'Go on' }).click();
  const played = () => page.texts.flatMap(({ state }) => (state?.playing ? [state] : []));
  const [last] = await eventually('later', () => played().filter((state) => state.t > 3000),
    (states) => states.length > 0);
  const until = trace.events.filter((event) => event.t <= last.t);
  assert.equal(last.ins, until.filter((event) => event.kind === 'in').length);
  await page.getByLabel('Speed of the replay').selectOption('100');
  await page.getByRole('button', { name: 'Again' }).waitFor();
  await ended();
});

test('a slot of the trace is white, and the inspector shows its sector', async () => {
  await open('--speed', '10');
  await ended();
  await page.locator('#tool-slots').click();
  const event = lastOf((one) => parseInt(one.slot, 16) < RATIO);
  const slot = parseInt(event.slot, 16);
  await eventually('slot', () => middleOf('slots', slot), (colour) => colour === NORMAL);
  await clickCell(page, 'slots', slot);
  await eventually('facts', () => facts(page),
    (all) => all.Sector !== undefined && parseInt(all.Sector, 16) === slot * 8);
});

test('pause and speed reach the server', firefoxLacks('messages of sockets'), async () => {
  // Slow, so that the trace of 10 s does not end before the click on pause.
  await open('--speed', '0.01');
  const time = async () =>
    /· ([\d.:]+)/.exec(await page.locator('.status-time').textContent())?.[1];
  /** Times of the states since the greeting that reported the pause; none if there is none. */
  const times = () => {
    const since = page.texts.findLastIndex((message) => message.hello);
    if (!page.texts[since].hello.replay.paused) return [];
    return page.texts.slice(since).flatMap(({ state }) => (state ? [state.t] : []));
  };
  await page.locator('.replay-pause').click();
  const [paused] = await eventually('a state of the paused replay', times,
    (all) => all.length >= 1);
  await waitForFrames(page, 3);
  const stood = await time();
  await waitForFrames(page, 36);
  assert.deepEqual(times().filter((t) => t !== paused), []);
  assert.equal(await time(), stood);
  await page.getByLabel('Speed of the replay').selectOption('100');
  await page.locator('.replay-pause').click();
  await ended();
});

test('a request without the token is rejected', async () => {
  await start('--replay', join(folder, 'made.trace'));
  const answer = await fetch(new URL('/', view.url));
  assert.ok([401, 403, 404].includes(answer.status), `${answer.status}`);
});
