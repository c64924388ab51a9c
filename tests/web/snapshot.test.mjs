// SPDX-License-Identifier: MIT
// Snapshots: from the real server, in a file of its own, and one of many millions of frames.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { clickCell, eventually, facts, html, openPage, startBrowser } from './browser.mjs';
import { program, startView } from './view_process.mjs';

const sample = process.env.PAGE_SNAPSHOT;

let browser;
let folder;
let view;
let page;
/** The sample as the program writes it into a page: JSON and columns. */
let known;

before(async () => {
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
  execFileSync(program, ['--html', join(folder, 'sample.html'), sample], { stdio: 'ignore' });
  known = message(readFileSync(join(folder, 'sample.html'), 'utf8'));
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  try {
    await page?.finish();
  } finally {
    page = undefined;
    await view?.stop();
    view = undefined;
  }
});

function message(text) {
  const packed = /<script type="application\/octet-stream" id="snapshot">([^<]*)</.exec(text)[1];
  const bytes = gunzipSync(Buffer.from(packed, 'base64'));
  const length = bytes.readUInt32LE(4);
  const facts = JSON.parse(bytes.subarray(8, 8 + length));
  const at = Math.ceil((8 + length) / 4) * 4;
  const column = (i) => new Uint32Array(bytes.buffer.slice(bytes.byteOffset + at + 4 * i * facts.runs, bytes.byteOffset + at + 4 * (i + 1) * facts.runs));
  return { facts, area: column(0), virtualPage: column(1), frame: column(2), pages: column(3), mappings: column(4) };
}

/** All mappings of a frame, the slow and plain way. */
function mappingsOf(frame) {
  const found = [];
  for (let run = 0; run < known.facts.runs; run++) {
    if (frame < known.frame[run] || frame >= known.frame[run] + known.pages[run]) continue;
    const area = known.facts.areas[known.area[run]];
    const process = known.facts.processes[area.process];
    const address = BigInt(`0x${area.start}`) + BigInt(known.virtualPage[run] + frame - known.frame[run]) * BigInt(known.facts.page_size);
    found.push(`${process.tgid} ${process.comm}${address.toString(16).toUpperCase()}`);
  }
  return found.sort();
}

/** Pages of mappings to frames of RAM, each frame once. */
function distinctFrames() {
  const frames = new Set();
  for (let run = 0; run < known.facts.runs; run++) for (let page = 0; page < known.pages[run]; page++) frames.add(known.frame[run] + page);
  return frames.size;
}

const open = async (url) => {
  page = await openPage(browser, url);
  await page.locator('#view-memory').waitFor();
};
const serve = async () => {
  view = await startView(sample);
  await open(view.url);
};
const number = (text) => Number(text.replace(/\D/g, ''));
const inspectFrame = async (frame) => {
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(frame.toString(16));
  await page.keyboard.press('Enter');
  await clickCell(page, 'memory', frame % 2048);
};
const listed = () => page.evaluate(() => [...document.querySelectorAll('.mapping-head')].map((head) => head.textContent).sort());

for (const scheme of ['Process', 'Executable unit or file', 'Region', 'Single or shared'])
  test(`coloured by ${scheme}, the legend adds up to memory`, async () => {
    await serve();
    await page.locator('#colour-by').selectOption(scheme);
    const frames = await page.evaluate(() => [...document.querySelectorAll('#legend li[data-frames]')].map((item) => Number(item.dataset.frames)));
    assert.equal(frames.reduce((sum, n) => sum + n, 0), known.facts.ram_pages);
    assert.equal(frames.slice(0, -1).reduce((sum, n) => sum + n, 0), distinctFrames());
  });

test('the inspector says who maps a frame: all of them', async () => {
  await serve();
  const shared = known.mappings.indexOf(Math.max(...known.mappings));
  const single = known.mappings.indexOf(1);
  for (const run of [shared, single]) {
    const frame = known.frame[run];
    await inspectFrame(frame);
    await eventually('mappings', listed, (found) => JSON.stringify(found) === JSON.stringify(mappingsOf(frame)));
    assert.equal(number((await facts(page)).Mappings), known.mappings[run]);
  }
});

test('a frame that no process maps is said to be the kernel’s, cache or free', async () => {
  await serve();
  let free = 0;
  while (mappingsOf(free).length > 0) free++;
  await inspectFrame(free);
  await page.getByText('No process of the snapshot maps it').waitFor();
});

test('search by PID, by unit, by frame', async () => {
  await serve();
  const process = known.facts.processes.reduce((best, one) => (one.resident > best.resident ? one : best));
  await page.keyboard.press('/');
  await page.keyboard.type(String(process.tgid));
  await page.keyboard.press('Enter');
  await eventually('chosen', () => page.locator('#view-owners tr.chosen').textContent(), (text) => text.includes(String(process.tgid)));
  await page.getByLabel('List').selectOption('Units');
  await page.getByLabel('Search').fill('libc.so');
  await eventually('units', () => page.locator('#view-owners tbody tr').allTextContents(), (rows) => rows.length > 0 && rows.every((row) => row.includes('libc.so')));
  const frame = known.frame[Math.floor(known.facts.runs / 2)];
  await page.getByLabel('Search').fill(`0x${frame.toString(16)}`);
  await page.keyboard.press('Enter');
  await eventually('inspected', () => page.locator('.inspector h3').first().textContent(), (text) => parseInt(text.replace('Frame ', ''), 16) === frame);
});

test('menus, keys and bars are there as on the live page', async () => {
  await serve();
  for (const [key, id] of [['1', 'view-memory'], ['2', 'view-inspector'], ['3', 'view-owners'], ['t', 'toolbar'], ['m', 'menubar'], ['s', 'statusbar'], ['e', 'legend']]) {
    assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
    await page.keyboard.press(key);
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
    await page.keyboard.press(key);
    assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
  }
  await page.keyboard.press('F10');
  await page.getByRole('menuitemradio', { name: 'Region' }).click();
  assert.equal(await page.locator('#colour-by').inputValue(), 'region');
});

test('the file of --html needs no server and asks nobody', async () => {
  await open(`file://${join(folder, 'sample.html')}`);
  const frame = known.frame[0];
  await inspectFrame(frame);
  await eventually('mappings', listed, (found) => JSON.stringify(found) === JSON.stringify(mappingsOf(frame)));
});

test('a snapshot that cannot be read says why', async () => {
  const bad = gzipSync(Buffer.from([4, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3]));
  writeFileSync(join(folder, 'bad.html'), readFileSync(html, 'utf8').replace('<!--SNAPSHOT-->', `<script type="application/octet-stream" id="snapshot">${bad.toString('base64')}</script>`));
  page = await openPage(browser, `file://${join(folder, 'bad.html')}`);
  await page.getByText('This snapshot cannot be shown').waitFor();
  await page.getByText('JSON of 200 bytes in a message of 11').waitFor();
});

/** 32 GiB, a million runs of one to six frames, some shared. */
function largeSnapshot() {
  const runs = 1_000_000;
  const end = 1 << 23;
  const facts = {
    page_size: 4096, frames_end: end.toString(16), ram_pages: end, kernel: '6.1.0', collector: 'made up', time_ms: 0, units: ['[heap]', '/usr/bin/work'], regions: ['heap', 'text'], runs,
    processes: Array.from({ length: 300 }, (_, i) => ({ tgid: 1000 + i, comm: `work${i}`, resident: 10_000, unique: 9000, swapped: 0 })),
    areas: Array.from({ length: 3000 }, (_, i) => ({ process: i % 300, start: '7F0000000000', pages: 1_000_000, unit: i % 2, region: i % 2, flags: 'rw-p' })),
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
  return Buffer.concat([head, text, Buffer.alloc((4 - (text.length % 4)) % 4, 32), Buffer.from(columns.buffer)]);
}

test('eight million frames in a million runs: shown in seconds, answered at once', { timeout: 90_000 }, async () => {
  const large = join(folder, 'large.html');
  writeFileSync(large, readFileSync(html, 'utf8').replace('<!--SNAPSHOT-->', `<script type="application/octet-stream" id="snapshot">${gzipSync(largeSnapshot()).toString('base64')}</script>`));
  const began = Date.now();
  await open(`file://${large}`);
  await eventually('legend', () => page.locator('#legend .sum').textContent(), (text) => number(text) === 1 << 23, 30_000);
  const shown = Date.now() - began;
  const asked = Date.now();
  await page.locator('#colour-by').selectOption('Region');
  const recoloured = Date.now() - asked;
  console.log(`8,388,608 frames, 1,000,000 runs: shown after ${shown} ms, coloured anew after ${recoloured} ms`);
  await inspectFrame(8 * 12_345 + 2);
  await eventually('mapping', listed, (found) => found.length === 1 && found[0].startsWith(`${1000 + ((12_345 * 7) % 3000) % 300} `));
  assert.ok(shown < 15_000, `${shown} ms`);
});
