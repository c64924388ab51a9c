// SPDX-License-Identifier: MIT
// The page of a snapshot of the whole of RAM: samples/ram-kcore.txt.zst, of a guest in which a test
// read the file /known (300 pages) and closed it, and deleted the file /gone while it was open.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import {
  cellColours, clickCell, eventually, facts, horizontalOverflow, settled,
} from './browser.mjs';
import { classTitle, framesOf, isRam, ramOf, sums, textOf } from './ram_text.mjs';
import { folder, openSnapshot, page, serve, view } from './served_page.mjs';
import { inspectFrame, number } from './snapshot_view.mjs';
import { program } from './view_process.mjs';

const samples = dirname(process.env.PAGE_SNAPSHOT);
const sample = join(samples, 'ram-kcore.txt.zst');
const text = textOf(sample);
const { runs, owners } = ramOf(text);
const ram = framesOf(runs.filter(isRam));
/** Frames of a pageblock of 2 MiB. */
const PAGE_BLOCK = 512;

const ownerNamed = (name) => [...owners.values()].find((owner) => owner.name === name);
const runsOf = (name) => runs.filter((run) => run.owner === ownerNamed(name).id);
const classesOfRam = sums(runs.filter(isRam), (run) => run.use);
const legendFrames = () => page.evaluate(() => {
  const items = [...document.querySelectorAll('#legend li[data-frames]')];
  return items.map((item) => Number(item.dataset.frames));
});
const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);
const highlighted = () => page.locator('.focus-bar').textContent();

/** Types into the search and takes the first result. */
async function search(words) {
  await page.keyboard.press('/');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

const shownFrame = () => page.locator('.inspector h3').first().textContent();
const frameOfTitle = (title) => parseInt(title.replace('Frame ', ''), 16);

test('a file that was read and closed is found, and a frame of it has its name and place',
  async () => {
    await serve([sample]);
    const known = runsOf('/known');
    assert.equal(framesOf(known), 300);
    await search('known');
    await eventually('highlight', highlighted, (words) => words.startsWith('/known300 frames'));
    const run = known[0];
    const range = await page.locator('.panel-memory .range').first().textContent();
    assert.equal(parseInt(range, 16), run.first - (run.first % 2048), 'goes to the first run');
    const at = run.first + run.pages - 1;
    await clickCell(page, 'memory', at % 2048);
    const found = await facts(page);
    assert.equal(found.Class, 'file cache');
    assert.equal(found.File, '/known');
    const place = run.place + run.pages - 1;
    assert.equal(found.Place, `page ${place} of 300`);
    const detail = await page.locator('[data-fact="Place"] + .detail').textContent();
    assert.equal(detail.replace(/\u2009/g, ''), `byte ${place * 4096} of 1228800`);
    assert.equal(found.Mapped, 'by no process');
    assert.equal(found['Paid by'], '/leaf');
    assert.equal(found.Flags, 'referenced, up to date, on an LRU list');
    assert.equal(found.Zone, 'node 0 DMA32');
  });

test('Enter takes an exact name, not the one with most frames', async () => {
  await serve([sample]);
  await page.keyboard.press('/');
  await page.keyboard.type('sh');
  const names = page.locator('#view-owners tbody td:first-child');
  const all = await names.allTextContents();
  const found = all.map((name) => name.split('/').at(-1).replace(/ \d+$/, ''));
  const exact = found.findIndex((name) => name !== 'sh');
  assert.ok(exact > 0, found.join(', '));
  assert.ok(!found.slice(exact).includes('sh'), found.join(', '));
  await page.keyboard.press('Enter');
  assert.match(await highlighted(), /^(\S*\/)?sh[ \d]/);
});

test('nodes with a memory tier have it in the inspector and as a colour', async () => {
  await serve([sample]);
  const offered = (name) => page.locator('#colour-by option', { hasText: name }).count();
  assert.deepEqual([await offered('Node and zone'), await offered('Memory tier')], [1, 0]);
  await page.finish();
  await view.stop();
  writeFileSync(join(folder, 'tier.txt'), text.replace(/^Z: /m, 'G: node.0.tier=22\nZ: '));
  await serve([join(folder, 'tier.txt')]);
  await page.locator('#colour-by').selectOption('Memory tier');
  assert.match(await page.locator('#legend').textContent(), /tier 22/);
  assert.equal(sum(await legendFrames()), ram);
  await inspectFrame(page, runsOf('/known')[0].first);
  assert.equal((await facts(page))['Memory tier'], '22');
});

test('a deleted file and a slab cache are found, and their frames say so', async () => {
  await serve([sample]);
  await search('/gone');
  await eventually('highlight', highlighted, (words) => words.startsWith('/gone (deleted)150'));
  await page.keyboard.press('n');
  assert.equal(frameOfTitle(await shownFrame()), runsOf('/gone')[0].first);
  assert.equal((await facts(page)).File, '/gone (deleted)');
  const detail = await page.locator('.detail', { hasText: 'inode 13' }).textContent();
  assert.equal(detail, 'ext2 · device 7:0 · inode 13 · deleted, or it never had a name');
  await search('dentry');
  await page.keyboard.press('n');
  const slab = await facts(page);
  assert.equal(slab['Slab cache'], 'dentry');
  assert.equal(slab.Class, 'slab caches');
  assert.match(await highlighted(), new RegExp(`^dentry${framesOf(runsOf('dentry'))} frames`));
});

for (const scheme of [
  'Class', 'Cached file', 'Slab cache', 'Owner', 'Paying cgroup', 'Node and zone',
  'Process', 'Mapped file', 'Region', 'Single or shared',
])
  test(`with colours by ${scheme} the legend adds up to RAM, without gray`, async () => {
    await serve([sample]);
    await page.locator('#colour-by').selectOption(scheme);
    assert.equal(sum(await legendFrames()), ram);
    const legend = await page.locator('#legend').textContent();
    assert.doesNotMatch(legend, /mapped by no process/);
    assert.equal(number(legend.split('=')[1].split('frames')[0]), ram);
  });

const ownersIn = (some, kind) =>
  some.map((run) => run.owner).filter((owner) => owners.get(owner)?.kind === kind);

/** The list has the owners with frames of the class, and no others. */
async function listsOwnersOf(use, list) {
  const kind = { 'Slab caches': 'slab', Files: 'file' }[list];
  const expected = new Set(ownersIn(runs.filter((run) => run.use === use), kind));
  const chosen = page.getByLabel('List', { exact: true });
  assert.equal(await chosen.evaluate((one) => one.selectedOptions[0].text), list);
  const names = await page.locator('#view-owners tbody td:first-child').allTextContents();
  assert.ok(names.length > 0, use);
  assert.equal(names.length, expected.size, names.join(', '));
  const words = await page.locator('#view-owners .hint').textContent();
  assert.ok(words.startsWith(`With frames of ${classTitle(use)}.`), words);
}

test('the ledger has the frames of each class, and opens the owners of one', async () => {
  await serve([sample]);
  const parts = () => page.evaluate(() => {
    const found = [...document.querySelectorAll('.ledger-part')];
    return found.map((part) => [part.title.split(':')[0], Number(part.dataset.frames)]);
  });
  const expected = [...classesOfRam].map(([use, n]) => [classTitle(use), n]).sort();
  assert.deepEqual((await parts()).sort(), expected);
  await page.locator('.ledger-part[title^="slab caches:"]').click();
  const caches = await parts();
  assert.equal(sum(caches.map(([, n]) => n)), classesOfRam.get('slab'));
  const [largest] = [...sums(runs.filter((run) => run.use === 'slab'), (run) => run.owner)]
    .sort((a, b) => b[1] - a[1]);
  assert.deepEqual(caches[0], [owners.get(largest[0]).name, largest[1]]);
  assert.match(await highlighted(), /^slab/);
  await listsOwnersOf('slab', 'Slab caches');
  await page.locator('.ledger-part').first().click();
  assert.match(await highlighted(), new RegExp(`^${caches[0][0]}`));
  await page.locator('.ledger-path button').click();
  assert.deepEqual((await parts()).sort(), expected);
  assert.equal(await page.locator('.focus-bar').isVisible(), false);
  await page.locator('.ledger-part[title^="shared memory:"]').click();
  await listsOwnersOf('shmem', 'Files');
  await page.getByRole('button', { name: 'List all' }).click();
  assert.equal(await page.locator('#view-owners .hint').isVisible(), false);
  const rows = await page.locator('#view-owners tbody tr').count();
  assert.equal(rows, new Set(ownersIn(runs, 'file')).size, 'all files');
});

test('frames that no record describes are not counted as RAM, and the legend has their number',
  async () => {
    const [first, ...others] = runs.filter(isRam);
    const line = text.split('\n').find((one) =>
      one.startsWith('R: ') && parseInt(one.slice(3), 16) === first.first);
    const gap = text.replace(`${line}\n`, '').replace(/^G: ram.runs=.*\n/m, '');
    writeFileSync(join(folder, 'gap.txt'), gap);
    await serve([join(folder, 'gap.txt')]);
    assert.equal(sum(await legendFrames()), framesOf(others));
    const words = (await page.locator('#legend .sum').textContent()).replace(/\u2009/g, '');
    assert.ok(words.startsWith(`= ${framesOf(others)} frames of RAM`), words);
    assert.ok(words.endsWith(`; ${first.pages} frames are not described`), words);
    const parts = await page.locator('.ledger-part').evaluateAll((all) =>
      all.map((part) => Number(part.dataset.frames)));
    assert.equal(sum(parts), framesOf(others));
    await inspectFrame(page, first.first);
    assert.equal((await facts(page)).Class, 'not described');
  });

test('the treemap has processes and the frames that none maps, without free ones', async () => {
  await serve([sample]);
  await page.locator('.treemap-box').first().waitFor();
  const boxes = await page.evaluate(() => [...document.querySelectorAll('.treemap-box')].map(
    (box) => [box.ariaLabel.split(':')[0], Number(box.dataset.pages)]
  ));
  const pages = new Map(boxes);
  assert.ok(!pages.has('free'));
  // No process maps slab caches, and several map shared memory.
  assert.equal(pages.get('slab caches'), framesOf(runs.filter(({ use }) => use === 'slab')));
  assert.ok(boxes.some(([name]) => /^physmem-collect \d+$/.test(name)));
  const free = framesOf(runs.filter(({ use }) => use === 'free' || use === 'free_percpu'));
  const shown = boxes.reduce((all, [, n]) => all + n, 0);
  assert.ok(Math.abs(shown - (ram - free)) < 0.0001 * ram, `${shown} of ${ram - free} in use`);
  await page.locator('.treemap-box[aria-label^="slab caches:"]').click();
  const words = await highlighted();
  assert.ok(words.startsWith('slab caches, not mapped'), words);
  assert.equal(number(words.split('mapped')[1].split('frames')[0]), pages.get('slab caches'));
});

test('the ledger works with keys alone', async () => {
  await serve([sample]);
  await page.locator('.ledger-part').first().focus();
  const title = () => page.evaluate(() => document.activeElement.title);
  const first = await title();
  await page.keyboard.press('ArrowRight');
  const second = await title();
  assert.notEqual(first, second);
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.ledger-path b').textContent(), second.split(':')[0]);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.ledger-path b').textContent(), 'RAM');
});

test('next and previous run go through all runs of a file', async () => {
  await serve([sample]);
  await search('known');
  const joined = [];
  for (const run of runsOf('/known')) {
    const last = joined.at(-1);
    if (last && last.end === run.first) last.end += run.pages;
    else joined.push({ first: run.first, end: run.first + run.pages });
  }
  for (const run of [...joined, joined[0]]) {
    await page.keyboard.press('n');
    assert.equal(frameOfTitle(await shownFrame()), run.first);
  }
  await page.getByRole('button', { name: 'Previous run' }).click();
  assert.equal(frameOfTitle(await shownFrame()), joined.at(-1).first);
});

test('the inspector has the order of free blocks, and the task of a stack', async () => {
  await serve([sample]);
  const free = runs.find((run) => run.use === 'free' && run.place < 11 && run.place > 0);
  await inspectFrame(page, free.first);
  const block = (await facts(page))['Free block'].replace(/\u2009/g, '');
  assert.equal(block, `order ${free.place}: ${2 ** free.place} frames`);
  const stack = runs.find((run) => owners.get(run.owner)?.kind === 'task');
  await inspectFrame(page, stack.first);
  const pid = owners.get(stack.owner).rest[0];
  assert.match((await facts(page)).Task, new RegExp(` ${pid}$`));
});

test('pageblocks have their free, largest and unmovable frames', async () => {
  await serve([sample]);
  await page.locator('#tool-pageblocks').click();
  const uses = ['file', 'block', 'shmem', 'anon', 'free', 'free_percpu', 'zsmalloc', 'balloon'];
  const blockUse = (block) => {
    const counts = new Map();
    for (const run of runs.filter(isRam)) {
      const from = Math.max(run.first, block * PAGE_BLOCK);
      const end = Math.min(run.first + run.pages, (block + 1) * PAGE_BLOCK);
      if (end > from) counts.set(run.use, (counts.get(run.use) ?? 0) + end - from);
    }
    return counts;
  };
  const canvas = page.locator('.page-blocks canvas');
  await settled(page);
  const columns = Math.floor((await canvas.boundingBox()).width / 14);
  for (const block of [0, 9, 20, 36, 60, 88, 91]) {
    const counts = blockUse(block);
    const [column, row] = [block % columns, Math.floor(block / columns)];
    await canvas.hover({ position: { x: 8 + column * 14, y: 8 + row * 14 } });
    const title = (await canvas.getAttribute('title')).replace(/\u2009/g, ' ');
    assert.equal(parseInt(title.split(' ')[1], 16), block * PAGE_BLOCK, title);
    const unmovable = sum([...counts].filter(([use]) => !uses.includes(use) && use !== 'hugetlb')
      .map(([, n]) => n));
    assert.doesNotMatch(title, /not known/, 'only by --ram=proc');
    assert.equal(Number(/(\d+) unmovable/.exec(title)?.[1] ?? 0), unmovable, title);
    assert.equal(Number(/(\d+) hugetlb/.exec(title)?.[1] ?? 0), counts.get('hugetlb') ?? 0, title);
    const free = (counts.get('free') ?? 0) + (counts.get('free_percpu') ?? 0);
    const percent = (100 * free / sum([...counts.values()])).toFixed(1);
    if (free > 0 && free < PAGE_BLOCK) assert.ok(title.includes(`${percent} % free`), title);
  }
});

test('the list of files is complete, sorted, and draws only visible rows', async () => {
  await serve([sample]);
  await page.getByLabel('List', { exact: true }).selectOption('Files');
  const files = [...sums(runs.filter((run) => owners.get(run.owner)?.kind === 'file'),
    (run) => run.owner)].sort((a, b) => b[1] - a[1]);
  const cells = await page.locator('#view-owners tbody td:nth-child(3) .value').allTextContents();
  assert.deepEqual(cells.map(number).slice(0, files.length), files.map(([, n]) => n));
  await page.getByLabel('List', { exact: true }).selectOption('Everything');
  const rows = page.locator('#view-owners tbody tr');
  const all = number(await page.locator('#view-owners .range').textContent());
  assert.ok(all > 200 && await rows.count() < 100, `${await rows.count()} of ${all} rows`);
  await rows.first().focus();
  await page.keyboard.press('End');
  await eventually('last row', () => rows.last().getAttribute('aria-rowindex'),
    (index) => Number(index) === all + 1);
  assert.equal(await page.evaluate(() => Number(document.activeElement.ariaRowIndex ??
    document.activeElement.getAttribute('aria-rowindex'))), all + 1);
});

test('a frame that no process maps has the muted colour of its class', async () => {
  await serve([sample]);
  const slab = runs.find((run) => run.use === 'slab' && run.pages >= 4);
  const free = runs.find((run) => run.use === 'free' && run.pages > 2048);
  const colours = [];
  for (const scheme of ['Process', 'Class'])
    for (const run of [slab, free]) {
      await page.locator('#colour-by').selectOption(scheme);
      await page.keyboard.press('g');
      await page.getByLabel('Beginning page number').fill(run.first.toString(16));
      await page.keyboard.press('Enter');
      await settled(page);
      colours.push((await cellColours(page, 'memory', (run.first + 1) % 2048)).middle);
    }
  assert.equal(new Set(colours).size, 4, colours.join(' '));
});

test('a snapshot without owners has classes, and totals of unmarked frames', async () => {
  await serve([join(samples, 'ram.txt.zst')]);
  const other = ramOf(textOf(join(samples, 'ram.txt.zst')));
  assert.equal(sum(await legendFrames()), framesOf(other.runs.filter(isRam)));
  const file = other.runs.find((run) => run.use === 'file');
  await inspectFrame(page, file.first);
  const found = await facts(page);
  assert.equal(found.Class, 'file cache');
  assert.equal(found.File, undefined);
  await page.locator('.ledger-part[title^="unmarked:"]').click();
  const parts = await page.locator('.ledger-part').evaluateAll((all) =>
    all.map((part) => [part.title.split(/ \(|:/)[0], Number(part.dataset.frames)]));
  const unmarked = other.runs.filter((run) => run.use === 'unmarked');
  assert.equal(sum(parts.map(([, n]) => n)), framesOf(unmarked));
  const expected = [['vmalloc', 2078], ['zsmalloc', 1614], ['without a known owner', 730]];
  for (const [what, n] of expected) assert.ok(parts.some((p) => p[0] === what && p[1] === n), what);
});

test('on a phone the page of the whole of RAM does not scroll horizontally', async () => {
  await serve([sample], { width: 390, height: 844 });
  await page.locator('#tool-pageblocks').click();
  for (const list of ['Everything', 'Files', 'Slab caches', 'Zones', 'Processes']) {
    await page.getByLabel('List', { exact: true }).selectOption(list);
    await page.locator('#view-owners tbody tr').first().click();
    await settled(page);
    assert.deepEqual(await horizontalOverflow(page), [], list);
  }
});

test('markup and control characters in names of files and caches are shown as text', async () => {
  const markup = '</script><img/src=x/onerror=document.title=1>';
  const hostile = text.replace(/^(O: \d+, file, .*), \/known$/m, `$1, /known${markup}`)
    .replace(/^(O: \d+, file, .*), \/gone$/m, '$1, /gone\\342\\200\\256gpj\\012x')
    .replace(/^(O: \d+, slab, .*), dentry$/m, `$1, dentry${markup}`);
  writeFileSync(join(folder, 'hostile.txt'), hostile);
  execFileSync(program, ['--html', join(folder, 'hostile.html'), join(folder, 'hostile.txt')],
    { stdio: 'ignore' });
  await openSnapshot(`file://${join(folder, 'hostile.html')}`);
  await search('/known');
  await page.keyboard.press('n');
  assert.equal((await facts(page)).File, `/known${markup}`);
  await search('/gone');
  await page.keyboard.press('n');
  assert.equal((await facts(page)).File, '/gone\\342\\200\\256gpj\\012x (deleted)');
  await page.locator('.ledger-part[title^="slab caches:"]').click();
  assert.ok((await page.locator('.ledger').textContent()).includes(`dentry${markup}`));
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.title(), 'physmem');
});

/** The sample three times, a minute apart. In the last, the pages of /known are free. */
function series() {
  const at = (i) => text
    .replace(/time_ns=(\d+)/, (_, ns) => `time_ns=${BigInt(ns) + BigInt(i) * 60_000_000_000n}`)
    .replace(/uptime_ns=(\d+)/, (_, ns) => `uptime_ns=${Number(ns) + i * 60_000_000_000}`);
  const { id } = ownerNamed('/known');
  const freed = at(2).replace(new RegExp(`^(R: \\S+ \\d+), file, ${id}, .*$`, 'gm'),
    '$1, free, 0, 0, 00000400, 0, 0000003F');
  return [at(0), at(1), freed];
}

/** Beyond the real time, so that the page's clock can stand still there. */
const AN_HOUR_MS = 3_600_000;
const moment = () => page.locator('.filmbar .time-label').textContent();

/** Steps from the first to the last snapshot and back, while /known is highlighted. */
async function watchFilm() {
  await search('known');
  assert.match(await moment(), /^1 of 3/);
  await page.keyboard.press('.');
  await eventually('second', moment, (words) => words.startsWith('2 of 3') && !words.endsWith('…'));
  assert.match(await highlighted(), /^\/known300 frames/);
  await page.keyboard.press('.');
  await eventually('third', moment, (words) => words.startsWith('3 of 3'));
  assert.match(await moment(), /\+2:00/);
  assert.match(await highlighted(), /^\/known0 frames/);
  const free = page.locator('.ledger-part[title^="free:"]');
  assert.equal(Number(await free.getAttribute('data-frames')), classesOfRam.get('free') + 300);
  assert.equal(sum(await legendFrames()), ram);
  await page.keyboard.press(',');
  await eventually('back', moment, (words) => words.startsWith('2 of 3') && !words.endsWith('…'));
  assert.match(await highlighted(), /^\/known300 frames/);
  assert.equal(Number(await free.getAttribute('data-frames')), classesOfRam.get('free'));
}

test('snapshots in one file are a film', async () => {
  writeFileSync(join(folder, 'series.txt'), series().join(''));
  await serve([join(folder, 'series.txt')]);
  await watchFilm();
});

test('snapshots in several files are a film, also in a file of --html', async () => {
  const files = series().map((one, i) => {
    writeFileSync(join(folder, `${i}.txt`), one);
    return join(folder, `${i}.txt`);
  });
  execFileSync(program, ['--html', join(folder, 'film.html'), ...files], { stdio: 'ignore' });
  await openSnapshot(`file://${join(folder, 'film.html')}`);
  await watchFilm();
});

test('a film plays to its end, and from its beginning again', async () => {
  writeFileSync(join(folder, 'series.txt'), series().join(''));
  await serve([join(folder, 'series.txt')], { ownClock: true });
  await page.clock.pauseAt(Date.now() + AN_HOUR_MS);
  const play = page.locator('.filmbar .hold');
  await page.keyboard.press(' ');
  await eventually('playing', () => play.textContent(), (words) => words.includes('Pause'));
  await eventually('second', moment, (words) => words.startsWith('2 of 3') && !words.endsWith('…'));
  await page.clock.runFor(1000);
  await eventually('end', moment, (words) => words.startsWith('3 of 3'));
  await eventually('stopped', () => play.textContent(), (words) => words.includes('Play'));
  await play.click();
  await eventually('again', moment, (words) => words.startsWith('1 of 3'));
  await page.getByLabel('Snapshot of the series').fill('1');
  await eventually('moved', moment, (words) => words.startsWith('2 of 3') && !words.endsWith('…'));
  assert.match(await play.textContent(), /Play/);
});
