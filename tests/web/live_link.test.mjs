// SPDX-License-Identifier: MIT
// The live page with a scripted server: time, replays and the connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './browser.mjs';
import {
  PAPER, becomes, colour, goTo, happens, machine, open, page, server, showsBlock,
} from './live_page.mjs';
import { Machine } from './mock_machine.mjs';

test('the page requests only itself, with the token, ' +
  'and then sends the names of its views over the socket', async () => {
  await open();
  assert.deepEqual(server.requests, ['/?token=secret']);
  const views = () => server.received.find((message) => message.want === 'views');
  const { names } = await eventually('views requested', views, Boolean);
  assert.deepEqual(names, ['log', 'pages', 'processes', 'statistics']);
});

test('the configuration dialog changes the beginning page (C11), ' +
  'and reports why a number is invalid', async () => {
  await open();
  happens('in', 0x5123, 1, 1000);
  await page.keyboard.press('g');
  const field = page.getByLabel('Beginning page number');
  await field.fill('xyz');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.problem').textContent(), /“xyz” is no number/);
  await field.fill('1ffe0');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.problem').textContent(), /the last is 1FFDF/);
  await field.fill('5123');
  await page.keyboard.press('Enter');
  await showsBlock('00005000 – 000057FF');
  await eventually('traced', () => colour(0x123),
    (found) => found === PAPER.in || found === PAPER.normal);
  await page.keyboard.press('g');
  await field.fill('#4096');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await showsBlock('00001000 – 000017FF');
});

test('while the user looks back the overview shows that moment and does not fade', async () => {
  for (let t = 0; t <= 20_000; t += 500) machine.run(t, 4);
  await open({ ownClock: true });
  const canvas = page.locator('#view-pages .overview canvas');
  const block = (at) => canvas.evaluate((element, b) => {
    const ratio = element.width / element.clientWidth;
    const [x, y] = [1 + b * 14 + 6, 7].map((value) => Math.round(value * ratio));
    return [...element.getContext('2d').getImageData(x, y, 1, 1).data.slice(0, 3)].join();
  }, at);
  await eventually('cold', () => block(1), (found) => found === PAPER.normal);
  machine.blocks.recent.set(1, [900, 0]);
  await page.getByLabel('Moment of the trace').fill('5000');
  const isBlue = (found) => {
    const [r, , b] = found.split(',').map(Number);
    return b - r > 80;
  };
  const then = await eventually('blue', () => block(1), isBlue);
  // The heat of live activity halves every one and a half seconds.
  await page.clock.runFor(3000);
  assert.equal(await block(1), then);
  machine.blocks.recent.set(1, [0, 900]);
  await page.getByLabel('Moment of the trace').fill('4000');
  const isRed = (found) => {
    const [r, , b] = found.split(',').map(Number);
    return r - b > 80;
  };
  await eventually('red', () => block(1), isRed);
});

test('the status bar shows a problem of the source until it is over', async () => {
  await open();
  const trouble = page.locator('.statusbar .trouble');
  assert.equal(await trouble.isVisible(), false);
  server.trouble = 'nothing from pftraced for 31 s';
  server.round(0);
  await trouble.waitFor();
  assert.equal(await trouble.textContent(), server.trouble);
  server.trouble = undefined;
  server.round(0);
  await trouble.waitFor({ state: 'hidden' });
});

test('the status bar always shows the number of lost events, in red if there are any', async () => {
  await open();
  assert.equal(await page.locator('.lost').first().textContent(), '0 lost');
  server.lost = 17;
  server.round(0);
  await eventually('lost', () => page.locator('.statusbar .bad').allTextContents(),
    (texts) => texts.includes('17 lost'));
});

test('Hold, the comma key, the slider and Live move the cursor of the server', async () => {
  for (let t = 0; t <= 20_000; t += 500) machine.run(t, 4);
  await open();
  const cursors = () => server.received.map((message) => message.cursor)
    .filter((cursor) => cursor !== undefined);
  await page.keyboard.press('Space');
  await eventually('held', cursors, (all) => all.at(-1) === 20_000);
  await page.keyboard.press(',');
  await eventually('a second back', cursors, (all) => all.at(-1) === 19_000);
  await page.getByLabel('Moment of the trace').fill('5000');
  await eventually('slider', cursors, (all) => all.at(-1) === 5000);
  const times = page.locator('.log-rows .log-row span:first-child');
  await eventually('log goes back', () => times.allTextContents(),
    (all) => all.length > 0 && all.every((time) => time <= '14:03:25.101'));
  assert.match(await page.locator('.time-label').textContent(), /14:03:25\.1/);
  await page.getByRole('button', { name: 'Live' }).click();
  await eventually('live', cursors, (all) => all.at(-1) === 'live');
  assert.equal(await page.locator('.live').getAttribute('aria-pressed'), 'true');
});

test('Follow shows the block with the most events until the user chooses a block', async () => {
  await open();
  const storm = (frame, events) => {
    machine.t += 100;
    for (let i = 0; i < events; i++) machine.event(1, machine.processes[0], frame + i, i);
    server.round(0);
  };
  const follow = page.getByRole('button', { name: 'Follow' });
  const isOn = (value) => eventually('follow', () => follow.getAttribute('aria-pressed'),
    (found) => found === String(value));
  storm(0x1000, 20);
  await showsBlock('00001000 – 000017FF');
  await isOn(false);
  storm(0x5000, 100);
  await page.keyboard.press('f');
  await isOn(true);
  await showsBlock('00005000 – 000057FF');
  storm(0x9000, 900);
  await showsBlock('00009000 – 000097FF');
  await page.keyboard.press(']');
  await showsBlock('00009800 – 00009FFF');
  await isOn(false);
});

test('with follow in the greeting the page starts in Follow mode', async () => {
  server.follow = true;
  await open();
  const follow = page.getByRole('button', { name: 'Follow' });
  assert.equal(await follow.getAttribute('aria-pressed'), 'true');
});

test('the time bar shows the activity of the whole trace, ' +
  'also after the chosen moment', async () => {
  for (let t = 0; t < 20_000; t += 500) machine.run(t, t >= 15_000 && t < 16_000 ? 200 : 4);
  await open();
  const busiest = () => page.locator('.activity').evaluate((canvas) => {
    const picture = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const heights = Array(canvas.width).fill(0);
    for (let i = 0; i < canvas.width * canvas.height; i++)
      if (picture.data[4 * i + 3] > 0) heights[i % canvas.width]++;
    const high = heights.flatMap((height, x) => (height === Math.max(...heights) ? [x] : []));
    const share = (x) => (x - 8) / (canvas.width - 16);
    const isEmpty = high.length === 0 || heights.every((h) => h === 0);
    return isEmpty ? [] : [share(high[0]), share(high.at(-1))];
  });
  const end = 19.5;
  const isStorm = ([first, last]) =>
    Math.abs(first - 15 / end) < 0.02 && Math.abs(last - 16 / end) < 0.02;
  await eventually('the storm of second 15', busiest, isStorm);
  await page.getByLabel('Moment of the trace').fill('5000');
  server.all({ rates: { seconds: machine.rates().slice(0, 6), minutes: [], reset: true } });
  await eventually('the past', () => page.locator('.time-label').textContent(),
    (text) => text.includes('(5.0'));
  assert.ok(isStorm(await busiest()));
});

test('after the end of the trace, Go on plays from the slider to the end, ' +
  'and Again from the beginning', async () => {
  for (let t = 0; t <= 20_000; t += 500) machine.run(t, 4);
  server.ended = true;
  await open();
  const button = page.locator('.hold');
  const label = (text) =>
    eventually('label', () => button.textContent(), (found) => found === text);
  const lastCursor = () =>
    server.received.findLast((message) => message.cursor !== undefined) ?? {};
  const [client] = server.clients;
  const sendState = (cursor, playing) => {
    Object.assign(client, { cursor, playing });
    server.sums(client);
  };
  await label('↻ Again');
  await page.getByLabel('Moment of the trace').fill('5000');
  await label('▶ Go on');
  await button.click();
  await eventually('played', lastCursor, ({ cursor, play }) => cursor === 5000 && play);
  await label('❚❚ Hold');
  sendState(7000, true);
  await eventually('not ended', () => page.locator('.status-time').textContent(),
    (text) => !text.includes('trace ended'));
  await eventually('the slider', () => page.getByLabel('Moment of the trace').inputValue(),
    (value) => value === '7000');
  await button.click();
  await eventually('held', lastCursor, ({ cursor, play }) => cursor === 7000 && !play);
  await label('▶ Go on');
  await page.keyboard.press('Space');
  await eventually('played', lastCursor, ({ cursor, play }) => cursor === 7000 && play);
  sendState('live', undefined);
  await label('↻ Again');
  assert.match(await page.locator('.status-time').textContent(), /trace ended/);
  assert.equal(await page.locator('.live').getAttribute('aria-pressed'), 'true');
  await button.click();
  await eventually('played again', lastCursor, ({ cursor, play }) => cursor === 0 && play);
});

test('the speed and pause controls of a replay reach the server', async () => {
  server.mode = 'replay';
  await open();
  await page.getByLabel('Speed of the replay').selectOption('10');
  await eventually('speed', () => server.replay.speed, (speed) => speed === 10);
  await page.locator('.replay-pause').click();
  await eventually('paused', () => server.replay.paused, Boolean);
  // The answer to the speed, which does not know of the pause, may come after the click.
  await eventually('label', () => page.locator('.replay-pause').getAttribute('aria-label'),
    (label) => label === 'Play the replay');
});

test('a live page has no replay controls', async () => {
  await open();
  assert.equal(await page.locator('.replay').isVisible(), false);
});

test('the page waits until the server has a configuration (B10)', async () => {
  server.recording = false;
  await goTo();
  await page.getByText('Waiting for the configuration').waitFor();
  server.recording = true;
  server.all(server.hello());
  await eventually('cover', () => page.locator('.cover').isHidden(), Boolean);
  const line = await page.locator('.facts-line').textContent();
  assert.match(line, /live · kmod · Linux 6\.1\.0 · x86_64/);
});

test('the page reports a lost connection, reconnects, and repeats its requests', async () => {
  await open({ expect: /WebSocket/ });
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill('5000');
  await page.keyboard.press('Enter');
  await showsBlock('00005000 – 000057FF');
  server.received.length = 0;
  server.isReachable = false;
  server.drop();
  await page.getByText('The connection to physmem-view is lost').waitFor();
  server.isReachable = true;
  await page.locator('.link-state[data-link="open"]').waitFor();
  await eventually('requested again', () => server.received, (all) =>
    all.some((message) => message.want === 'pages' && message.begin === '5000') &&
    all.some((message) => message.want === 'views'));
  assert.equal(await page.getByText('The connection to physmem-view is lost').count(), 0);
  happens('in', 0x5001, 1, 1000);
  await becomes(1, PAPER.in);
});

test('a greeting of another machine removes everything of the first', async () => {
  await open();
  happens('in', 5, 1, 1000);
  await becomes(5, PAPER.in);
  server.machine = new Machine({ frames: 0x4000 });
  server.all(server.hello());
  await becomes(5, PAPER.untraced);
  await page.getByText('of 8', { exact: false }).first().waitFor();
});

test('each malformed message of the server gives a notice and changes nothing else', async () => {
  await open();
  happens('in', 5, 1, 1000);
  // Notices are counted when they appear, because each disappears after some seconds.
  await page.evaluate(() => {
    window.noticed = 0;
    const isNotice = (node) => node.matches?.('.notice');
    const count = ({ addedNodes }) => {
      window.noticed += [...addedNodes].filter(isNotice).length;
    };
    const observer = new MutationObserver((changes) => changes.forEach(count));
    observer.observe(document.body, { childList: true, subtree: true });
  });
  const nonsense = [
    '{', '[]', '{"state":1}', Buffer.from([1, 2]), Buffer.from([77, 0, 0, 0]), Buffer.alloc(0),
  ];
  for (const client of server.clients) for (const one of nonsense) server.post(client, one);
  await eventually('notices', () => page.evaluate(() => window.noticed), (count) => count === 6);
  await eventually('cell unchanged', () => colour(5),
    (found) => found === PAPER.in || found === PAPER.normal);
});
