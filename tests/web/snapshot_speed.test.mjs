// SPDX-License-Identifier: MIT
// How long a page takes to show a very large snapshot: judges the machine's clock.
// False alarms: none in 30 runs, each next to a guest that kept the CPUs busy. The page was shown
// after 1.7 to 4.1 s, median 3.0. The bound is five times the median, so that a slower CPU passes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually, openPage, startBrowser } from './browser.mjs';
import { inspectFrame, listed, withSnapshot } from './snapshot_view.mjs';

/** A machine of 32 GiB with a million runs of one to six frames. */
function largeSnapshot() {
  const runs = 1_000_000;
  const end = 1 << 23;
  const facts = {
    page_size: 4096, frames_end: end.toString(16), ram_pages: end,
    kernel: '6.1.0', collector: 'made up', time_ms: 0,
    units: ['[heap]', '/usr/bin/work'], regions: ['heap', 'text'], runs,
    processes: Array.from({ length: 300 }, (_, i) => ({
      tgid: 1000 + i, comm: `work${i}`, resident: 10_000, unique: 9000, swapped: 0,
    })),
    areas: Array.from({ length: 3000 }, (_, i) => ({
      process: i % 300, start: '7F0000000000', pages: 1_000_000,
      unit: i % 2, region: i % 2, flags: 'rw-p',
    })),
  };
  const text = Buffer.from(JSON.stringify(facts));
  const columns = new Uint32Array(5 * runs);
  for (let run = 0; run < runs; run++) {
    columns.set([(run * 7) % 3000], run);
    columns.set([run], runs + run);
    columns.set([run * 8], 2 * runs + run);
    columns.set([1 + (run % 6)], 3 * runs + run);
    columns.set([1], 4 * runs + run);
  }
  const head = Buffer.alloc(8);
  head[0] = 4;
  head.writeUInt32LE(text.length, 4);
  const padding = Buffer.alloc((4 - (text.length % 4)) % 4, 32);
  return Buffer.concat([head, text, padding, Buffer.from(columns.buffer)]);
}

let browser;
const folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test('the page shows a snapshot of eight million frames within 15 s',
  { timeout: 180_000 }, async () => {
  const large = join(folder, 'large.html');
  writeFileSync(large, withSnapshot(gzipSync(largeSnapshot())));
  const began = Date.now();
  const page = await openPage(browser, `file://${large}`);
  await page.locator('#view-memory').waitFor();
  await eventually('legend', () => page.locator('#legend .sum').textContent(),
    (text) => text.startsWith('= 8\u2009388\u2009608 frames of RAM'));
  const shown = Date.now() - began;
  const asked = Date.now();
  await page.locator('#colour-by').selectOption('Region');
  const recoloured = Date.now() - asked;
  console.log('8,388,608 frames, 1,000,000 runs: ' +
    `shown after ${shown} ms, recoloured after ${recoloured} ms`);
  await inspectFrame(page, 8 * 12_345 + 2);
  const owner = 1000 + ((12_345 * 7) % 3000) % 300;
  await eventually('mapping', () => listed(page),
    (found) => found.length === 1 && found[0].startsWith(`${owner} `));
  await page.finish();
  assert.ok(shown < 15_000, `${shown} ms`);
});
