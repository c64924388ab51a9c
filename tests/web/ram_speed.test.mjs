// SPDX-License-Identifier: MIT
// How long the page takes with the whole of RAM of 24 GiB: judges the machine's clock, except for
// the size of the message. The bounds are the goals: 2 s, 60 MB and 16 ms. Measured on two CPUs
// with a load of 5 to 8: shown after 1.5 to 2.2 s, every other action within 0.40 s, 99 % of the
// moves of the pointer below 9 ms.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { horizontalOverflow, openPage, settled, startBrowser, waitForFrames } from './browser.mjs';
import { FILES, FRAMES, writeLargeRam } from './large_ram.mjs';
import { number } from './snapshot_view.mjs';
import { program } from './view_process.mjs';

const SENT_BYTES = 60e6;
const SHOWN_MS = 2000;
const ACTION_MS = 1000;
const POINTER_MS = 16;
/** Another program may use the CPU: the best of these counts. */
const TRIES = 3;

let browser;
const folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
const file = join(folder, 'ram.html');
before(async () => {
  browser = await startBrowser();
  writeLargeRam(join(folder, 'ram.txt'));
  execFileSync(program, ['--html', file, join(folder, 'ram.txt')], { stdio: 'ignore' });
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** ms from the opening of the file until its first picture. */
async function open() {
  const began = Date.now();
  const page = await openPage(browser, `file://${file}`);
  await page.locator('#view-memory').waitFor();
  await waitForFrames(page, 2);
  return { page, shown: Date.now() - began };
}

/** Opens the file until a picture is fast enough, at most TRIES times. */
async function openFast() {
  for (let i = 1; ; i++) {
    const { page, shown } = await open();
    console.log(`shown after ${shown} ms`);
    if (shown <= SHOWN_MS || i === TRIES) return { page, shown };
    await page.finish();
  }
}

/** ms until the page has handled a change of a field and computed its layout. */
const setField = (page, field, value, event) =>
  page.evaluate(([selector, wanted, name]) => {
    const element = document.querySelector(selector);
    const option = [...(element.options ?? [])].find((one) => one.textContent === wanted);
    const begin = performance.now();
    element.value = option?.value ?? wanted;
    element.dispatchEvent(new Event(name));
    document.body.getBoundingClientRect();
    return performance.now() - begin;
  }, [field, value, event]);

const click = (page, selector) => page.evaluate((wanted) => {
  const begin = performance.now();
  document.querySelector(wanted).click();
  document.body.getBoundingClientRect();
  return performance.now() - begin;
}, selector);

/** ms of each of 200 moves of the pointer over a canvas. */
const movePointer = (page, selector) => page.evaluate((wanted) => {
  const canvas = document.querySelector(wanted);
  const { x, y, width, height } = canvas.getBoundingClientRect();
  return Array.from({ length: 200 }, (_, i) => {
    const begin = performance.now();
    const [clientX, clientY] = [x + 70 + (i * 37) % (width - 80), y + 20 + (i * 3) % (height - 30)];
    canvas.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX, clientY }));
    document.body.getBoundingClientRect();
    return performance.now() - begin;
  }).sort((a, b) => a - b);
}, selector);

test('a message of 6 million frames and 170,000 files has at most 60 MB', () => {
  const text = readFileSync(file, 'utf8');
  const packed = /id="snapshot">([^<]*)</.exec(text)[1];
  const bytes = gunzipSync(Buffer.from(packed, 'base64')).length;
  console.log(`${bytes} bytes sent; ${text.length} bytes as a file`);
  assert.ok(bytes <= SENT_BYTES, `${bytes}`);
});

test('the page shows 24 GiB, and answers the pointer, keys and searches',
  { timeout: 180_000 }, async () => {
    const { page, shown } = await openFast();
    const times = {};
    const legend = await page.locator('#legend .sum').textContent();
    assert.equal(number(legend.split('frames')[0]), FRAMES);
    for (const scheme of ['Cached file', 'Process', 'Class'])
      times[scheme] = await setField(page, '#colour-by', scheme, 'change');
    times.list = await setField(page, '#view-owners select', 'Files', 'change');
    assert.equal(number(await page.locator('#view-owners .range').textContent()), FILES);
    assert.ok(await page.locator('#view-owners tbody tr').count() < 100);
    times.search = await setField(page, '#view-owners input', 'length-12345.', 'input');
    assert.equal(await page.locator('#view-owners tbody tr').count(), 1);
    times.choose = await click(page, '#view-owners tbody tr');
    times.ledger = await click(page, '.ledger-part[title^="file cache:"]');
    times.blocks = await click(page, '#tool-pageblocks');
    const words = Object.entries(times).map(([what, ms]) => `${what} ${Math.round(ms)} ms`);
    console.log(words.join(', '));
    for (const canvas of ['#view-memory .block-grid canvas', '.page-blocks canvas']) {
      let moves = [];
      for (let i = 0; i < TRIES && !(moves[198] <= POINTER_MS); i++) {
        moves = await movePointer(page, canvas);
        const [median, last] = [moves[100], moves[198]].map((ms) => ms.toFixed(1));
        console.log(`pointer: median ${median} ms, 99 % below ${last} ms`);
      }
      assert.ok(moves[198] <= POINTER_MS, `${moves[198]} ms`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    assert.deepEqual(await horizontalOverflow(page), [], 'on a phone');
    await page.finish();
    assert.ok(shown <= SHOWN_MS, `${shown} ms`);
    for (const [what, ms] of Object.entries(times))
      assert.ok(ms < ACTION_MS, `${what}: ${ms} ms`);
  });
