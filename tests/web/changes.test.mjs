// SPDX-License-Identifier: MIT
// The treemap of a snapshot, and the comparison of two.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { eventually, firefoxLacks, horizontalOverflow, shoot } from './browser.mjs';
import { folder, page, serve, view } from './served_page.mjs';
import { number } from './snapshot_view.mjs';
import { program } from './view_process.mjs';

const after_ = process.env.PAGE_SNAPSHOT;
const before_ = join(dirname(after_), 'shell.txt');
const samples = dirname(after_);

const embedded = (text, id) => {
  const begin = `<script type="application/octet-stream" id="${id}">`;
  const found = new RegExp(`${begin}([^<]*)<`).exec(text);
  return Buffer.from(found[1], 'base64');
};

/** The JSON of a snapshot, and the pages of each of its processes, by mappings. */
function processPages(file) {
  const path = join(folder, 'one.html');
  execFileSync(program, ['--html', path, file], { stdio: 'ignore' });
  const bytes = gunzipSync(embedded(readFileSync(path, 'utf8'), 'snapshot'));
  const length = bytes.readUInt32LE(4);
  const facts = JSON.parse(bytes.subarray(8, 8 + length));
  const column = (i, run) =>
    bytes.readUInt32LE(Math.ceil((8 + length) / 4) * 4 + 4 * (i * facts.runs + run));
  const sums = new Map();
  for (let run = 0; run < facts.runs; run++) {
    const { comm, tgid } = facts.processes[facts.areas[column(0, run)].process];
    const name = `${comm} ${tgid}`;
    sums.set(name, (sums.get(name) ?? 0) + column(3, run) / Math.max(1, column(4, run)));
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

const boxes = () => page.evaluate(() => [...document.querySelectorAll('.treemap-box')].map(
  (box) => ({
    name: box.ariaLabel.replace(/: .*/, ''), pages: Number(box.dataset.pages),
    area: box.offsetWidth * box.offsetHeight,
  })
));

const path = () => page.locator('.treemap-path').textContent();

test('the treemap has a box for each process, as large as its part of memory', async () => {
  const known = processPages(after_);
  await serve([after_]);
  await page.locator('.treemap-box').first().waitFor();
  const found = await boxes();
  assert.deepEqual(found.map(({ name }) => name), known.map(([name]) => name));
  found.forEach(({ pages }, i) => assert.ok(Math.abs(pages - known[i][1]) < 0.01));
  const all = found.reduce((sum, box) => sum + box.area, 0);
  const sum = known.reduce((total, [, pages]) => total + pages, 0);
  for (const { area, pages } of found)
    assert.ok(Math.abs(area / all - pages / sum) < 0.02, `${area / all} for ${pages / sum}`);
  assert.ok(await horizontalOverflow(page) <= 0);
});

test('the treemap opens a process and a region by keys, and goes back', async () => {
  await serve([after_]);
  await page.locator('.treemap-box').first().focus();
  const [first, second] = await boxes();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await eventually('path', path, (text) => text.includes(second.name));
  const regions = await boxes();
  assert.ok(regions.some(({ name }) => name === 'heap'));
  const sum = regions.reduce((all, { pages }) => all + pages, 0);
  assert.ok(Math.abs(sum - second.pages) < 0.1);
  assert.match(await page.locator('.focus-bar').textContent(), new RegExp(second.name));
  await page.keyboard.press('Enter');
  await eventually('path', path, (text) => text.includes(regions[0].name));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await eventually('path', path, (text) => !text.includes('›'));
  const label = () => page.evaluate(() => document.activeElement.ariaLabel ?? '');
  await eventually('focus', label, (text) => text.startsWith(second.name));
  await page.keyboard.press('Home');
  await eventually('focus', label, (text) => text.startsWith(first.name));
});

/** Rows of the table of changes: texts of their cells. */
const rows = () => page.evaluate(() => [...document.querySelectorAll('#view-changes tbody tr')].map(
  (row) => [...row.cells].map((cell) => cell.querySelector('.value')?.textContent ??
    cell.textContent)
));

/** What the server compared. */
function changesOf(files) {
  const file = join(folder, 'two.html');
  execFileSync(program, ['--html', file, ...files], { stdio: 'ignore' });
  return JSON.parse(embedded(readFileSync(file, 'utf8'), 'series')).changes;
}

test('two snapshots are compared by process, the largest change first', async () => {
  const { processes } = changesOf([before_, after_]);
  await serve([before_, after_]);
  const found = await rows();
  assert.equal(found.length, processes.rows.length);
  processes.rows.forEach((row, i) => {
    assert.ok(found[i][0].startsWith(row.name));
    assert.deepEqual(
      [1, 2, 3, 5, 6].map((column) => number(found[i][column])),
      [row.pid, row.before, row.after, row.came, row.went]
    );
  });
  const widths = await page.evaluate(() => [...document.querySelectorAll('.change-came')].map(
    (part) => parseFloat(part.style.width)
  ).filter((width) => width > 0));
  assert.equal(Math.max(...widths), 100, 'the longest bar has all the room');
});

test('changes are sorted by a click, searched, and chosen by keys', async () => {
  await serve([before_, after_]);
  await page.locator('#view-changes th button', { hasText: 'Process' }).click();
  const names = (await rows()).map(([name]) => name.replace(/ \(.*/, ''));
  assert.deepEqual(names, [...names].sort());
  await page.getByLabel('Search changes').fill('gdb');
  assert.equal((await rows()).length, 1);
  await page.keyboard.press('.');
  await page.getByLabel('Search changes').fill('no such name');
  assert.match(await page.locator('#view-changes .hint').textContent(), /No match/);
  await page.getByLabel('Search changes').fill('');
  await page.getByLabel('Changes of').selectOption('Mapped files');
  await page.locator('#view-changes tbody tr').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await eventually(
    'chosen row', () => page.locator('#view-changes tbody tr.chosen').count(), (n) => n === 1
  );
});

test('of the whole of RAM, classes and files are compared too', async () => {
  const files = ['ram-files.txt.zst', 'ram-split.pmc.zst'].map((name) => join(samples, name));
  const changes = changesOf(files);
  await serve(files);
  for (const [label, list] of [['Classes of RAM', changes.classes],
                               ['Files in the page cache', changes.files]]) {
    await page.getByLabel('Changes of').selectOption(label);
    const found = await rows();
    assert.equal(found.length, list.rows.length);
    assert.equal(number(found[0][3]), list.rows[0].after);
  }
  const hint = await page.locator('#view-changes .hint').textContent();
  assert.match(hint, new RegExp(`${changes.files.unchanged} did not change`));
});

test('one snapshot, and a film of three, have no comparison', async () => {
  await serve([after_]);
  assert.equal(await page.locator('#view-changes').count(), 0);
  await page.finish();
  await view.stop();
  await serve([before_, after_, after_]);
  assert.equal(await page.locator('#view-changes').count(), 0);
});

for (const theme of ['light', 'dark'])
  for (const [size, width, height] of [['wide', 1400, 1000], ['phone', 420, 900]])
    test(`treemap and changes have room: ${size}, ${theme}`,
      theme === 'dark' ? firefoxLacks('emulated media') : {}, async () => {
      await serve([before_, after_], { width, height, dark: theme === 'dark' });
      await page.keyboard.press('.');
      await page.locator('.treemap-box').first().waitFor();
      assert.ok(await horizontalOverflow(page) <= 0);
      await shoot(page, `changes-${size}-${theme}`);
    });
