// SPDX-License-Identifier: MIT
// Starts a mock machine, its server and a page for each test of the live page. The exported
// variables get new values for each test.

import { after, afterEach, before, beforeEach } from 'node:test';
import { cellColours, eventually, html, openPage, settled, startBrowser } from './browser.mjs';
import { Machine } from './mock_machine.mjs';
import { MockServer } from './mock_server.mjs';

export const PAPER = {
  untraced: '168,174,182', in: '31,95,224', out: '217,38,38', normal: '255,255,255',
  selected: '0,168,84',
};
export const SAFE = { in: '0,96,168', out: '240,140,0', selected: '0,158,115' };
export const PROCESS = (machine) => machine.processes[0];

let browser;
export let machine;
export let server;
let url;
export let page;

before(async () => (browser = await startBrowser()));
after(() => browser.close());
beforeEach(async () => {
  machine = new Machine();
  server = new MockServer(html, machine);
  url = await server.listen();
});
afterEach(async () => {
  try {
    await page.finish();
  } finally {
    server.close();
  }
});

/**
 * Opens the page and does not wait for its content. Cells stay blue and red for two seconds of the
 * trace. Without messages of the server the page's clock advances by one and a half seconds only,
 * so cells keep their colours until a later event.
 */
export async function goTo(options) {
  page = await openPage(browser, url, { holdMs: 2000, ...options });
  return page;
}

/** Opens the page, and waits until it shows the server's greeting and its layout is stable. */
export async function open(options) {
  await goTo(options);
  await page.locator('.link-state[data-link="open"]').waitFor();
  await eventually('greeting', () => page.locator('.cover').isHidden(), Boolean);
  // The state is the last message of a greeting.
  const readers = page.locator('.statusbar').getByText('1 reader', { exact: true });
  await readers.waitFor({ state: 'attached' });
  await settled(page);
  return page;
}

/** Makes one event and sends it at once. */
export function happens(kind, frame, slot, t) {
  machine.t = t;
  const event = machine.event(kind === 'in' ? 1 : 2, PROCESS(machine), frame, slot);
  server.round(0);
  return event;
}

export const colour = async (cell, part = 'middle', view = 'pages') =>
  (await cellColours(page, view, cell))[part];
export const becomes = (cell, wanted, part, view) =>
  eventually(`cell ${cell} ${part ?? ''}`, () => colour(cell, part, view),
    (found) => found === wanted);
/** White, or the equivalent of the theme. */
export const becomesNormal = (cell) =>
  eventually(`cell ${cell} normal`, () => colour(cell),
    (found) => found.split(',').every((part) => Number(part) > 230));
export const showsBlock = (text) =>
  eventually('block', () => page.locator('.panel-pages .range').textContent(),
    (found) => found.includes(text));
export const shown = (id) => page.locator(`#view-${id}`).isVisible();
export const hold = (ms) => page.evaluate(async (value) => {
  const key = 'physmem-page';
  const kept = JSON.parse(localStorage.getItem(key) ?? '{}');
  localStorage.setItem(key, JSON.stringify({ ...kept, holdMs: value }));
}, ms);
