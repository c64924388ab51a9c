// SPDX-License-Identifier: MIT
// Snapshots: from the real server, and in a file of its own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eventually, facts, html, openPage, settled, sideways, startBrowser } from './browser.mjs';
import { inspectFrame, listed, number, withSnapshot } from './snapshot_view.mjs';
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

/** Message 4 of facts without runs. */
function messageOf(facts) {
  let text = JSON.stringify(facts);
  text += ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const head = Buffer.alloc(8);
  head[0] = 4;
  head.writeUInt32LE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
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

for (const scheme of ['Process', 'Executable unit or file', 'Region', 'Single or shared'])
  test(`coloured by ${scheme}, the legend adds up to memory`, async () => {
    await serve();
    await page.locator('#colour-by').selectOption(scheme);
    const frames = await page.evaluate(() => [...document.querySelectorAll('#legend li[data-frames]')].map((item) => Number(item.dataset.frames)));
    assert.equal(frames.reduce((sum, n) => sum + n, 0), known.facts.ram_pages);
    assert.equal(frames.slice(0, -1).reduce((sum, n) => sum + n, 0), distinctFrames());
  });

test('numbers of pages have their size in MiB next to them', async () => {
  await serve();
  const process = known.facts.processes.reduce((best, one) => (one.resident > best.resident ? one : best));
  const mib = (pages) => (pages * known.facts.page_size) / 2 ** 20;
  const cell = page.locator('#view-owners tbody tr').first().locator('td').nth(2);
  assert.equal(number(await cell.locator('.value').textContent()), process.resident);
  const size = parseFloat((await cell.locator('.size').textContent()).replace(/\u2009/g, ''));
  assert.ok(Math.abs(size - mib(process.resident)) <= 0.5, `${size}`);
  const ram = await page.locator('#legend .sum .size').textContent();
  assert.ok(Math.abs(parseFloat(ram.replace(/\u2009/g, '')) - mib(known.facts.ram_pages)) <= 0.5, ram);
});

for (const [scheme, list, key] of [
  ['Process name', 'By process name', ({ comm }) => comm],
  ['User', 'By user', ({ uid }) => uid],
  ['Control group', 'By control group', ({ cgroup }) => cgroup],
])
  test(`more than twelve processes: ${list.toLowerCase()}`, async () => {
    const { processes, page_size } = known.facts;
    assert.ok(processes.length > 12);
    await serve();
    await page.locator('#colour-by').selectOption(scheme);
    const frames = await page.evaluate(() =>
      [...document.querySelectorAll('#legend li[data-frames]')].map((item) => Number(item.dataset.frames)));
    assert.equal(frames.reduce((sum, n) => sum + n, 0), known.facts.ram_pages);
    await page.getByLabel('List').selectOption(list);
    const rows = page.locator('#view-owners tbody tr');
    assert.equal(await rows.count(), new Set(processes.map(key)).size);
    const counts = await rows.locator('td:nth-child(2)').allTextContents();
    assert.equal(counts.reduce((sum, n) => sum + Number(n), 0), processes.length);
    const resident = await rows.locator('td:nth-child(3) .value').allTextContents();
    const all = processes.reduce((sum, process) => sum + process.resident, 0);
    assert.equal(resident.reduce((sum, n) => sum + number(n), 0), all, `pages of ${page_size}`);
    await rows.first().click();
    await page.getByRole('button', { name: 'Show all' }).waitFor();
  });

test('groups are offered for more than twelve processes only', async () => {
  const facts = { ...known.facts, areas: [], units: [], runs: 0, processes: known.facts.processes.slice(0, 12) };
  writeFileSync(join(folder, 'few.html'), withSnapshot(gzipSync(messageOf(facts))));
  await open(`file://${join(folder, 'few.html')}`);
  assert.deepEqual(await page.getByLabel('List').locator('option').allTextContents(), ['Processes', 'Units']);
  assert.equal(await page.locator('#colour-by option').count(), 4);
});

test('the inspector says who maps a frame: all of them', async () => {
  await serve();
  const shared = known.mappings.indexOf(Math.max(...known.mappings));
  const single = known.mappings.indexOf(1);
  for (const run of [shared, single]) {
    const frame = known.frame[run];
    await inspectFrame(page, frame);
    await eventually('mappings', () => listed(page), (found) => JSON.stringify(found) === JSON.stringify(mappingsOf(frame)));
    assert.equal(number((await facts(page)).Mappings), known.mappings[run]);
  }
});

test('a frame that no process maps is said to be the kernel’s, cache or free', async () => {
  await serve();
  let free = 0;
  while (mappingsOf(free).length > 0) free++;
  await inspectFrame(page, free);
  await page.getByText('Not mapped by a process of the snapshot').waitFor();
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
  await inspectFrame(page, frame);
  await eventually('mappings', () => listed(page), (found) => JSON.stringify(found) === JSON.stringify(mappingsOf(frame)));
});

test('forced colours: the legend keeps the colours of frames', async () => {
  await open(`file://${join(folder, 'sample.html')}`);
  const colours = () => page.evaluate(() =>
    [...document.querySelectorAll('.swatch')].map((swatch) => getComputedStyle(swatch).backgroundColor));
  const before = await colours();
  assert.ok(new Set(before).size > 10);
  await page.emulateMedia({ forcedColors: 'active' });
  assert.deepEqual(await colours(), before);
});

const MARKUP = '</script><img/src=x/onerror=document.title=1>';

test('a hostile snapshot runs nothing from the file of --html, and its names are written out', async () => {
  const text = readFileSync(join(dirname(sample), 'shell.txt'), 'utf8')
    .replace(/^T: [^,]*,/m, `T: ${MARKUP},`)
    .replace(/, \/usr\/bin\/dash,/g, ', /tmp/\\342\\200\\256gpj.\\033[2Jexe,');
  const file = join(folder, 'hostile.html');
  writeFileSync(join(folder, 'hostile.txt'), text);
  execFileSync(program, ['--html', file, join(folder, 'hostile.txt')], { stdio: 'ignore' });
  const [, before, packed, behind] =
    /^([^]*)<script type="application\/octet-stream" id="snapshot">([^<]*)<\/script>([^]*)$/
      .exec(readFileSync(file, 'utf8'));
  assert.match(packed, /^[A-Za-z0-9+/]+=*$/, 'all that is of the snapshot');
  assert.equal(`${before}<!--SNAPSHOT-->${behind}`, readFileSync(html, 'utf8'));
  await open(`file://${file}`);
  const first = page.locator('#view-owners tbody td:first-child');
  await eventually('names', () => first.allTextContents(), (names) => names.includes(MARKUP));
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.title(), 'physmem');
  await page.getByLabel('List').selectOption('Units');
  const names = await first.allTextContents();
  assert.ok(names.includes('/tmp/\\342\\200\\256gpj.\\033[2Jexe'), names.join());
});

test('notes with control characters and bidi overrides are text in which these can be seen', async () => {
  const note = `a\u202Eb\u2066c\u001b[31m${MARKUP}`;
  const facts = { ...known.facts, areas: [], units: [], runs: 0, notes: [note] };
  writeFileSync(join(folder, 'notes.html'), withSnapshot(gzipSync(messageOf(facts))));
  await open(`file://${join(folder, 'notes.html')}`);
  const shown = `a\\u202Eb\\u2066c\\u001B[31m${MARKUP}`;
  assert.equal(await page.locator('.inspector .notes li').textContent(), shown);
  await page.getByRole('button', { name: '1 note' }).click();
  assert.equal(await page.getByRole('dialog').locator('li').textContent(), shown);
  assert.equal(await page.locator('img').count(), 0);
});

test('on a phone a snapshot does not scroll sideways', async () => {
  page = await openPage(browser, `file://${join(folder, 'sample.html')}`, { width: 390, height: 844 });
  await page.locator('#view-owners tbody tr').first().click();
  for (const list of ['Processes', 'Units']) {
    await page.getByLabel('List').selectOption(list);
    await inspectFrame(page, known.frame[known.mappings.indexOf(Math.max(...known.mappings))]);
    await settled(page);
    assert.deepEqual(await sideways(page), [], list);
  }
});

test('a snapshot that cannot be read says why', async () => {
  const bad = gzipSync(Buffer.from([4, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3]));
  writeFileSync(join(folder, 'bad.html'), withSnapshot(bad));
  page = await openPage(browser, `file://${join(folder, 'bad.html')}`);
  await page.getByText('This snapshot cannot be shown').waitFor();
  await page.getByText('JSON of 200 bytes in a message of 11').waitFor();
});
