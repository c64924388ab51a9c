// SPDX-License-Identifier: MIT
// The live page with a scripted server: the log, processes and statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, eventually, firefoxLacks, waitForFrames } from './browser.mjs';
import {
  PAPER, becomesNormal, colour, happens, machine, open, page, server,
} from './live_page.mjs';

test('the log shows all fields of swap-ins and swap-outs, follows until the user scrolls, ' +
  'and reports omitted lines (C5)', async () => {
  await open();
  const event = happens('in', 0x1b000, 0x10, 8101);
  happens('out', 0x1b001, 0x11, 8102);
  await page.setViewportSize({ width: 1700, height: 800 });
  const rows = page.locator('.log-rows .log-row');
  await eventually('rows', () => rows.count(), (count) => count === 2);
  assert.deepEqual(await rows.first().locator('span').allTextContents(), [
    '14:03:28.202', 'IN', '371 pagefault2', event.address, '0001B000', '0:10', '80',
    `${event.service_us}\u2009µs`, 'io major',
  ]);
  assert.equal(await rows.nth(1).locator('.log-kind').textContent(), 'OUT');
  server.all({ log: { lines: [], more: 123 } });
  await page.getByText('+123 more').waitFor();
  machine.run(9000, 150);
  const range = page.locator('.panel-log .range');
  const short = await range.textContent();
  server.all({ log: { lines: machine.log.slice(-150), more: 0 } });
  await eventually('150 more lines', () => range.textContent(), (text) => text !== short);
  const list = page.locator('.log-list');
  const atEnd = () => list.evaluate((element) =>
    element.scrollTop + element.clientHeight >= element.scrollHeight - 1);
  await eventually('follows', atEnd, Boolean);
  await list.evaluate((element) => (element.scrollTop = 100));
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  const before = await range.textContent();
  server.all({ log: { lines: machine.log.slice(-10), more: 0 } });
  await eventually('ten more lines', () => range.textContent(), (text) => text !== before);
  await waitForFrames(page, 3);
  assert.equal(await list.evaluate((element) => element.scrollTop), 100);
  await page.getByRole('button', { name: 'Newest' }).click();
  await eventually('follows again', atEnd, Boolean);
});

test('in a held page the log can be scrolled back to the oldest event of the server', async () => {
  for (let t = 0; t <= 20_000; t += 500) machine.run(t, 15);
  await open();
  await page.keyboard.press('Space');
  // The answer resets the log. Messages that are sent after the answer are shown after it.
  await eventually('held', () => server.received.find((one) => one.cursor !== undefined), Boolean);
  const row = { tgid: 999, comm: 'after', ins: 1, outs: 1, in_rate: 0, out_rate: 0 };
  server.all({ processes: [row], other: { processes: 0, ins: 0, outs: 0 } });
  await page.locator('#view-processes tr[data-tgid="999"]').waitFor();
  const list = page.locator('.log-list');
  const first = () => page.locator('.log-rows .log-row span:first-child').first().textContent();
  await page.locator('.log-rows .log-row').first().waitFor();
  const requests = () => server.received.filter((message) => message.before !== undefined);
  const oldest = machine.log[0].seq;
  assert.equal(requests().length, 0, 'no page is requested before the user scrolls');
  await eventually('the first event', async () => {
    await list.evaluate((element) => (element.scrollTop = 0));
    return first();
  }, (time) => time === '14:03:20.101');
  const total = machine.log.length;
  const range = await page.locator('.panel-log .range').textContent();
  assert.match(range, new RegExp(`^${total} lines`));
  assert.ok(requests().every((message) => message.before > oldest && message.t !== undefined));
  assert.equal(requests().length, Math.ceil((total - 200) / 200), 'each page is requested once');
});

test('a chosen process limits the log to its events', async () => {
  await open();
  machine.run(1000, 60);
  server.round(0);
  await page.getByLabel('Log lines of process').selectOption('372');
  await eventually('request', () => server.received.findLast((message) => message.want === 'log'),
    (message) => message?.tgid === 372);
  const names = page.locator('.log-rows .log-row span:nth-child(3)');
  await eventually('rows', () => names.allTextContents(),
    (all) => all.length > 0 && all.every((name) => name === '372 pagefault2'));
});

test('a click on a heading sorts processes; a click on a process shows its last ten events ' +
  'and dims the pages of others (C4, X11)', async () => {
  await open();
  for (let i = 0; i < 14; i++) happens('in', 100 + i, i, 1000 + i);
  machine.event(1, machine.processes[1], 7, 90);
  server.round(0);
  const first = page.locator('#view-processes tbody tr').first();
  await page.getByRole('button', { name: 'In', exact: true }).click();
  await eventually('first row', () => first.textContent(), (text) => text.includes('371'));
  await page.getByRole('button', { name: 'PID' }).click();
  await eventually('sorted', () => first.textContent(), (text) => text.includes('372'));
  await page.locator('#view-processes tr[data-tgid="371"]').click();
  await eventually('ten', () => page.locator('.last-ten tbody tr:visible').allTextContents(),
    (rows) => rows.length === 10 && /IN.*00000071/.test(rows[0]) && /IN.*00000068/.test(rows[9]));
  assert.match(await page.locator('.details').textContent(), /13\.2/);
  await eventually("others' pages are dimmed", () => colour(7),
    (found) => found !== PAPER.in && found !== PAPER.normal);
  await eventually('own pages are not dimmed', () => colour(110),
    (found) => found === PAPER.normal || found === PAPER.in);
  await page.keyboard.press('Escape');
  await first.waitFor();
  const lastTgid = () => server.received.at(-1)?.tgid;
  await eventually('no process is opened', lastTgid, (tgid) => tgid === 0);
});

test('a click opens the process on which it began, while the order of processes changes',
  firefoxLacks('messages of sockets'), async () => {
  await open();
  const row = (tgid, rate) => ({ tgid, comm: 'work', ins: 1, outs: 1, in_rate: rate, out_rate: 0 });
  const send = (...rates) => server.all({
    processes: rates.map((rate, i) => row(371 + i, rate)), other: { processes: 0, ins: 0, outs: 0 },
  });
  const rows = page.locator('#view-processes tr[data-tgid]');
  const order = () => rows.evaluateAll((all) => all.map((one) => one.dataset.tgid).join());
  send(2, 1);
  await eventually('before', order, (found) => found === '371,372');
  await rows.first().hover();
  await page.mouse.down();
  send(1, 2);
  await eventually('sent', () => page.texts.findLast((message) => message.processes),
    (message) => message?.processes[0].in_rate === 1);
  await waitForFrames(page, 3);
  await page.mouse.up();
  await eventually('a process', () => server.received.at(-1)?.tgid, (tgid) => tgid === 371);
  await page.keyboard.press('Escape');
  await eventually('after', order, (found) => found === '372,371');
});

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`the opened process's pages have a contrast of at least 3 to others, ${theme}`, async () => {
    await open({ dark });
    for (let i = 0; i < 12; i++) happens('in', 100 + i, i, 1000 + i);
    machine.event(1, machine.processes[1], 7, 90);
    server.round(0);
    happens('in', 2040, 91, 9000);
    await page.locator('#view-processes tr[data-tgid="371"]').click();
    const white = await becomesNormal(111);
    const others = await eventually('dimmed', () => colour(7), (found) => found !== white);
    const untraced = await colour(1000);
    const ofOthers = contrast(white, others);
    const ofUntraced = contrast(white, untraced);
    assert.ok(ofOthers >= 3, `${white} next to ${others}: ${ofOthers}`);
    assert.ok(ofUntraced >= 3, `${white} next to ${untraced}: ${ofUntraced}`);
  });
}

test('the size in MiB follows each number of pages', async () => {
  await open();
  const row = { tgid: 371, comm: 'work', ins: 2560, outs: 25_600, in_rate: 0, out_rate: 0 };
  machine.sums = { ins: 2560, outs: 25_600, major: 7 };
  server.round(0);
  server.all({ processes: [row], other: { processes: 3, ins: 1, outs: 0 } });
  const sizes = page.locator('#view-processes .size');
  await eventually('sizes', () => sizes.allTextContents(), (found) =>
    found.join() === ['10.0', '100', '<\u20090.1', '0.0'].map((n) => `${n}\u2009MiB`).join());
  assert.match(await page.locator('.statusbar').textContent(),
    /2\u2009560 \(10\.0\u2009MiB\) in · 25\u2009600 \(100\u2009MiB\) out · 7 major/);
  assert.match(await page.locator('.panel-pages .range').textContent(), / · 8\.0\u2009MiB$/);
});

test('more than twelve processes can be grouped by name, and a group can be opened', async () => {
  await open();
  const row = (tgid, comm) => ({
    tgid, comm, ins: tgid, outs: 1, in_rate: 2, out_rate: 0,
    address: '7F10C2A00000', kind: 'in', t: tgid,
  });
  const all = Array.from({ length: 13 }, (_, i) => row(400 + i, ['web', 'db'][i % 2]));
  const none = { processes: 0, ins: 0, outs: 0 };
  server.all({ processes: all.slice(1), other: none });
  const rows = page.locator('#view-processes .table-scroll tbody tr');
  await eventually('twelve', () => rows.count(), (count) => count === 12);
  const choice = page.getByLabel('by name');
  assert.equal(await choice.isVisible(), false);
  server.all({ processes: all, other: none });
  await choice.check();
  const texts = () => rows.evaluateAll((list) => list.map((one) =>
    [...one.cells].slice(0, 3).map((cell) => cell.firstChild.textContent).join('|')));
  const closed = ['▸ web|7\u2009×|2\u2009842', '▸ db|6\u2009×|2\u2009436'];
  await eventually('groups', texts, (found) => found.join() === closed.join());
  await rows.nth(1).click();
  await eventually('opened', texts, (found) => found.length === 8 && found[1].startsWith('▾ db') &&
    found[7] === '\u2003db|401|401');
  await rows.nth(7).click();
  await eventually('a process', () => server.received.at(-1)?.tgid, (tgid) => tgid === 401);
});

test('a question mark precedes counts and addresses with inferred owners', async () => {
  await open();
  const row = {
    tgid: 371, comm: 'work', ins: 2, outs: 1200, inferred: 30, in_rate: 2, out_rate: 1,
    address: '7F10C2A00000', address_inferred: true, kind: 'out', t: 8101,
  };
  const observed = { ...row, tgid: 372, inferred: undefined, address_inferred: undefined };
  server.all({ processes: [row, observed], other: { processes: 0, ins: 0, outs: 0 } });
  const cells = (tgid) => page.locator(`#view-processes tr[data-tgid="${tgid}"] td`);
  await cells(371).first().waitFor();
  const outs = (tgid) => cells(tgid).nth(3).locator('.value').textContent();
  assert.equal(await outs(371), '?1\u2009200');
  const title = await cells(371).nth(3).getAttribute('title');
  assert.match(title, /^for 30 of these the kernel did not report/);
  assert.equal(await cells(371).nth(6).textContent(), '?7F10C2A00000');
  assert.equal(await outs(372), '1\u2009200');
  assert.equal(await cells(372).nth(6).textContent(), '7F10C2A00000');
});

test('the log shows swap-cache hits only on request, and marks them', async () => {
  await open();
  const wanted = () => server.received.findLast((message) => message.want === 'log');
  await page.getByLabel('hits too').check();
  await eventually('requested', wanted, (message) => message?.all === true);
  const hit = { ...happens('in', 0x123, 0x10, 8101), seq: 900, flags: ['hit'] };
  server.all({ log: { lines: [hit], more: 0 } });
  const row = page.locator('.log-rows .log-unmoved');
  await row.waitFor();
  assert.equal(await row.locator('.log-kind').textContent(), 'hit');
  await page.getByLabel('hits too').uncheck();
  await eventually('requested again', wanted, (message) => message.all === false);
});

test('the labels of a chart axis are not cut off', async () => {
  for (let t = 0; t < 20_000; t += 500) machine.run(t, 10);
  for (const second of machine.seconds) second.us = second.ins * 412_000;
  await open();
  await page.locator('#tool-statistics').click();
  await eventually('total', () => page.locator('[data-total="in"]').textContent(),
    (text) => Number(text.replace(/\D/g, '')) === machine.sums.ins);
  await waitForFrames(page, 3);
  const leftmost = await page.evaluate(() => {
    const canvas = [...document.querySelectorAll('.chart canvas')].at(-1);
    const context = canvas.getContext('2d');
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    for (let x = 0; x < width; x++)
      for (let y = 0; y < height; y++)
        if (data[4 * (y * width + x) + 3] > 0) return x / devicePixelRatio;
    return width;
  });
  assert.ok(leftmost >= 2, `the first drawn pixel is ${leftmost} pixels from the edge`);
});

test('the statistics show totals, contiguity, the busiest second ' +
  'and three curves (C15, C16)', async () => {
  for (let t = 0; t < 120_000; t += 500) machine.run(t, t >= 60_000 && t < 70_000 ? 90 : 10);
  await open();
  await page.locator('#tool-statistics').click();
  await eventually('total', () => page.locator('[data-total="in"]').textContent(),
    (text) => Number(text.replace(/\D/g, '')) === machine.sums.ins);
  assert.equal(await page.locator('[data-total="contiguous"]').textContent(), '13.6\u2009%');
  await eventually('busiest', () => page.locator('.rush').textContent(),
    (text) => text.startsWith('Busiest: 14:04:20'));
  await waitForFrames(page, 3);
  const drawn = await page.evaluate(() => {
    const canvases = [...document.querySelectorAll('.chart canvas')];
    return canvases.map((canvas) => {
      const context = canvas.getContext('2d');
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((byte, i) => i % 4 === 3 && byte > 0).length;
    });
  });
  assert.equal(drawn.length, 3);
  for (const pixels of drawn) assert.ok(pixels > 500, `curves are drawn: ${pixels} pixels`);
});
