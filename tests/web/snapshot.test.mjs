// SPDX-License-Identifier: MIT
// The page of a snapshot, served by physmem-view and as a file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  eventually, facts, firefoxLacks, horizontalOverflow, html, settled,
} from './browser.mjs';
import { folder, openAt, openSnapshot, page, start, view } from './served_page.mjs';
import { inspectFrame, listed, number, withSnapshot } from './snapshot_view.mjs';
import { program } from './view_process.mjs';

const sample = process.env.PAGE_SNAPSHOT;

/** The sample as the program embeds it in a page: JSON and columns. */
let known;

before(() => {
  execFileSync(program, ['--html', join(folder, 'sample.html'), sample], { stdio: 'ignore' });
  known = message(readFileSync(join(folder, 'sample.html'), 'utf8'));
});

function message(text) {
  const packed = /<script type="application\/octet-stream" id="snapshot">([^<]*)</.exec(text)[1];
  const bytes = gunzipSync(Buffer.from(packed, 'base64'));
  const length = bytes.readUInt32LE(4);
  const facts = JSON.parse(bytes.subarray(8, 8 + length));
  const at = Math.ceil((8 + length) / 4) * 4;
  const column = (i) => {
    const begin = bytes.byteOffset + at + 4 * i * facts.runs;
    return new Uint32Array(bytes.buffer.slice(begin, begin + 4 * facts.runs));
  };
  return {
    facts, area: column(0), virtualPage: column(1), frame: column(2), pages: column(3),
    mappings: column(4),
  };
}

/** Message 4 with these facts and no runs. */
function messageOf(facts) {
  let text = JSON.stringify(facts);
  text += ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const head = Buffer.alloc(8);
  head[0] = 4;
  head.writeUInt32LE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** All mappings of a frame, by a search of all runs. */
function mappingsOf(frame) {
  const found = [];
  for (let run = 0; run < known.facts.runs; run++) {
    if (frame < known.frame[run] || frame >= known.frame[run] + known.pages[run]) continue;
    const area = known.facts.areas[known.area[run]];
    const process = known.facts.processes[area.process];
    const virtualPage = BigInt(known.virtualPage[run] + frame - known.frame[run]);
    const address = BigInt(`0x${area.start}`) + virtualPage * BigInt(known.facts.page_size);
    found.push(`${process.tgid} ${process.comm}${address.toString(16).toUpperCase()}`);
  }
  return found.sort();
}

/** The number of frames of RAM that are mapped, each counted once. */
function distinctFrames() {
  const frames = new Set();
  for (let run = 0; run < known.facts.runs; run++)
    for (let page = 0; page < known.pages[run]; page++) frames.add(known.frame[run] + page);
  return frames.size;
}

const sumOf = (numbers) => numbers.reduce((sum, n) => sum + n, 0);
const largestProcess = () =>
  known.facts.processes.reduce((best, one) => (one.resident > best.resident ? one : best));
const framesOfLegend = () => page.evaluate(() => {
  const items = [...document.querySelectorAll('#legend li[data-frames]')];
  return items.map((item) => Number(item.dataset.frames));
});
/** Waits until the inspector lists exactly the mappings of a frame. */
const listsMappingsOf = (frame) => eventually('mappings', () => listed(page),
  (found) => JSON.stringify(found) === JSON.stringify(mappingsOf(frame)));

const serve = async () => {
  await start(sample);
  await openSnapshot(view.url);
};

for (const scheme of ['Process', 'Mapped file', 'Region', 'Single or shared'])
  test(`with colours by ${scheme} the legend adds up to all RAM`, async () => {
    await serve();
    await page.locator('#colour-by').selectOption(scheme);
    const frames = await framesOfLegend();
    assert.equal(sumOf(frames), known.facts.ram_pages);
    assert.equal(sumOf(frames.slice(0, -1)), distinctFrames());
  });

test('the size in MiB follows each number of pages', async () => {
  await serve();
  const process = largestProcess();
  const mib = (pages) => (pages * known.facts.page_size) / 2 ** 20;
  const cell = page.locator('#view-owners tbody tr').first().locator('td').nth(2);
  assert.equal(number(await cell.locator('.value').textContent()), process.resident);
  const size = parseFloat((await cell.locator('.size').textContent()).replace(/\u2009/g, ''));
  assert.ok(Math.abs(size - mib(process.resident)) <= 0.5, `${size}`);
  const ram = await page.locator('#legend .sum .size').textContent();
  const ramSize = parseFloat(ram.replace(/\u2009/g, ''));
  assert.ok(Math.abs(ramSize - mib(known.facts.ram_pages)) <= 0.5, ram);
});

for (const [scheme, list, key] of [
  ['Command', 'By command', ({ comm }) => comm],
  ['User', 'By user', ({ uid }) => uid],
  ['Cgroup', 'By cgroup', ({ cgroup }) => cgroup],
])
  test(`more than twelve processes are listed ${list.toLowerCase()} with their sums`, async () => {
    const { processes, page_size } = known.facts;
    assert.ok(processes.length > 12);
    await serve();
    await page.locator('#colour-by').selectOption(scheme);
    assert.equal(sumOf(await framesOfLegend()), known.facts.ram_pages);
    await page.getByLabel('List', { exact: true }).selectOption(list);
    const rows = page.locator('#view-owners tbody tr');
    assert.equal(await rows.count(), new Set(processes.map(key)).size);
    const counts = await rows.locator('td:nth-child(2)').allTextContents();
    assert.equal(sumOf(counts.map(Number)), processes.length);
    const resident = await rows.locator('td:nth-child(3) .value').allTextContents();
    const all = sumOf(processes.map((process) => process.resident));
    assert.equal(sumOf(resident.map(number)), all, `pages of ${page_size}`);
    await rows.first().click();
    await page.getByRole('button', { name: 'Show all' }).waitFor();
  });

test('twelve processes are not grouped', async () => {
  const processes = known.facts.processes.slice(0, 12);
  const facts = { ...known.facts, areas: [], units: [], runs: 0, processes };
  writeFileSync(join(folder, 'few.html'), withSnapshot(gzipSync(messageOf(facts))));
  await openSnapshot(`file://${join(folder, 'few.html')}`);
  const lists = page.getByLabel('List', { exact: true }).locator('option');
  assert.deepEqual(await lists.allTextContents(), ['Processes', 'Mapped files', 'Everything']);
  assert.equal(await page.locator('#colour-by option').count(), 4);
});

test('the inspector lists all mappings of a shared and of a single frame', async () => {
  await serve();
  const shared = known.mappings.indexOf(Math.max(...known.mappings));
  const single = known.mappings.indexOf(1);
  for (const run of [shared, single]) {
    const frame = known.frame[run];
    await inspectFrame(page, frame);
    await listsMappingsOf(frame);
    assert.equal(number((await facts(page)).Mappings), known.mappings[run]);
  }
});

test('the inspector shows an unmapped frame as not mapped by a process', async () => {
  await serve();
  let free = 0;
  while (mappingsOf(free).length > 0) free++;
  await inspectFrame(page, free);
  await page.getByText('Not mapped by a process of the snapshot').waitFor();
});

test('the search finds a PID, a unit and a frame', async () => {
  await serve();
  const process = largestProcess();
  await page.keyboard.press('/');
  await page.keyboard.type(String(process.tgid));
  await page.keyboard.press('Enter');
  await eventually('chosen', () => page.locator('#view-owners tr.chosen').textContent(),
    (text) => text.includes(String(process.tgid)));
  await page.getByLabel('List', { exact: true }).selectOption('Mapped files');
  await page.getByLabel('Search').fill('libc.so');
  await eventually('units', () => page.locator('#view-owners tbody tr').allTextContents(),
    (rows) => rows.length > 0 && rows.every((row) => row.includes('libc.so')));
  const frame = known.frame[Math.floor(known.facts.runs / 2)];
  await page.getByLabel('Search').fill(`0x${frame.toString(16)}`);
  await page.keyboard.press('Enter');
  await eventually('inspected', () => page.locator('.inspector h3').first().textContent(),
    (text) => parseInt(text.replace('Frame ', ''), 16) === frame);
});

test('a search without a match here goes on in all lists', async () => {
  await serve();
  await page.getByLabel('List', { exact: true }).selectOption('Processes');
  await page.getByLabel('Search').fill('libc.so');
  await page.getByRole('button', { name: 'Search all lists' }).click();
  await eventually('rows', () => page.locator('#view-owners tbody tr').allTextContents(),
    (rows) => rows.length > 0 && rows.every((row) => row.includes('libc.so')));
});

test('the address keeps colours, list, highlighted owner and frame', async () => {
  const file = `file://${join(folder, 'sample.html')}`;
  await openSnapshot(file);
  const unit = known.facts.units.find((name) => name.includes('libc'));
  const frame = known.frame[Math.floor(known.facts.runs / 2)];
  await page.locator('#colour-by').selectOption('region');
  await page.getByLabel('List', { exact: true }).selectOption('Mapped files');
  await page.getByLabel('Search').fill(unit);
  await page.keyboard.press('Enter');
  await inspectFrame(page, frame);
  const address = page.url();
  await page.goto('about:blank');
  await openSnapshot(address);
  assert.equal(await page.locator('#colour-by').inputValue(), 'region');
  assert.equal(
    await page.getByLabel('List', { exact: true }).evaluate((list) => list.selectedOptions[0].text),
    'Mapped files'
  );
  await eventually('highlighted', () => page.locator('.focus-bar').textContent(),
    (text) => text.includes(unit.split('/').at(-1)));
  await eventually('inspected', () => page.locator('.inspector h3').first().textContent(),
    (text) => parseInt(text.replace('Frame ', ''), 16) === frame);
  await openSnapshot(`${file}#by=nothing&owner=process:none%200&frame=fffffffff&list=x&at=7`);
  assert.equal(await page.locator('#view-owners tr.chosen').count(), 0);
});

// Firefox saves these files, too, but the driver does not report it.
test('the list of owners is saved as CSV, with sizes in bytes',
  firefoxLacks('events of downloads'), async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`);
  await page.getByLabel('List', { exact: true }).selectOption('Processes');
  await page.keyboard.press('F10');
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'List of owners as CSV' }).click();
  const download = await coming;
  assert.equal(download.suggestedFilename(), 'process.csv');
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
  const { processes, page_size } = known.facts;
  assert.equal(lines[0], 'Process,PID,Resident bytes,Unique bytes,Swapped bytes');
  assert.equal(lines.length, 1 + processes.length);
  const { comm, tgid, resident } = largestProcess();
  assert.ok(lines.some((line) => line.startsWith(`${comm},${tgid},${resident * page_size},`)));
});

test('the treemap is saved as SVG, with a box and a tooltip for each process',
  firefoxLacks('events of downloads'), async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`);
  await page.locator('.treemap-box').first().waitFor();
  await page.keyboard.press('F10');
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Treemap as SVG' }).click();
  const download = await coming;
  assert.equal(download.suggestedFilename(), 'treemap.svg');
  const svg = readFileSync(await download.path(), 'utf8');
  const titles = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [...parsed.querySelectorAll('svg > svg > title')].map((title) => title.textContent);
  }, svg);
  const { comm, tgid } = largestProcess();
  assert.ok(titles.some((title) => title.startsWith(`${comm} ${tgid}: `)), titles[0]);
});

test('keys show and hide the parts of the page, and the menu selects the colours', async () => {
  await serve();
  const parts = [
    ['1', 'view-memory'], ['2', 'view-inspector'], ['3', 'view-owners'],
    ['4', 'view-treemap'], ['t', 'toolbar'], ['m', 'menubar'], ['s', 'statusbar'], ['e', 'legend'],
  ];
  for (const [key, id] of parts) {
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

test('the file of --html works without a server and sends no request', async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`);
  const frame = known.frame[0];
  await inspectFrame(page, frame);
  await listsMappingsOf(frame);
});

test('with forced colours the legend keeps its colours',
  firefoxLacks('emulated media'), async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`);
  const colours = () => page.evaluate(() => {
    const swatches = [...document.querySelectorAll('.swatch')];
    return swatches.map((swatch) => getComputedStyle(swatch).backgroundColor);
  });
  const before = await colours();
  assert.ok(new Set(before).size > 10);
  await page.emulateMedia({ forcedColors: 'active' });
  assert.deepEqual(await colours(), before);
});

const MARKUP = '</script><img/src=x/onerror=document.title=1>';

test('markup in names of a snapshot is shown as text by the file of --html, ' +
  'and control characters are escaped', async () => {
  const text = readFileSync(join(dirname(sample), 'shell.txt'), 'utf8')
    .replace(/^T: [^,]*,/m, `T: ${MARKUP},`)
    .replace(/, \/usr\/bin\/dash,/g, ', /tmp/\\342\\200\\256gpj.\\033[2Jexe,');
  const file = join(folder, 'hostile.html');
  writeFileSync(join(folder, 'hostile.txt'), text);
  execFileSync(program, ['--html', file, join(folder, 'hostile.txt')], { stdio: 'ignore' });
  const [, before, packed, after] =
    /^([^]*)<script type="application\/octet-stream" id="snapshot">([^<]*)<\/script>([^]*)$/
      .exec(readFileSync(file, 'utf8'));
  assert.match(packed, /^[A-Za-z0-9+/]+=*$/, 'the whole snapshot is base64');
  assert.equal(`${before}<!--SNAPSHOT-->${after}`, readFileSync(html, 'utf8'));
  await openSnapshot(`file://${file}`);
  const first = page.locator('#view-owners tbody td:first-child');
  await eventually('names', () => first.allTextContents(), (names) => names.includes(MARKUP));
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.title(), 'physmem');
  await page.getByLabel('List', { exact: true }).selectOption('Mapped files');
  const names = await first.allTextContents();
  assert.ok(names.includes('/tmp/\\342\\200\\256gpj.\\033[2Jexe'), names.join());
});

test('notes with markup, control characters and bidi overrides are shown as text, ' +
  'with escapes', async () => {
  const note = `a\u202Eb\u2066c\u001b[31m${MARKUP}`;
  const facts = { ...known.facts, areas: [], units: [], runs: 0, notes: [note] };
  writeFileSync(join(folder, 'notes.html'), withSnapshot(gzipSync(messageOf(facts))));
  await openSnapshot(`file://${join(folder, 'notes.html')}`);
  const shown = `a\\u202Eb\\u2066c\\u001B[31m${MARKUP}`;
  assert.equal(await page.locator('.inspector .notes li').textContent(), shown);
  await page.getByRole('button', { name: '1 note' }).click();
  assert.equal(await page.getByRole('dialog').locator('li').textContent(), shown);
  assert.equal(await page.locator('img').count(), 0);
});

test('on a phone a snapshot does not scroll horizontally', async () => {
  const file = `file://${join(folder, 'sample.html')}`;
  await openSnapshot(file, { width: 390, height: 844 });
  await page.locator('#view-owners tbody tr').first().click();
  for (const list of ['Processes', 'Mapped files']) {
    await page.getByLabel('List', { exact: true }).selectOption(list);
    await inspectFrame(page, known.frame[known.mappings.indexOf(Math.max(...known.mappings))]);
    await settled(page);
    assert.deepEqual(await horizontalOverflow(page), [], list);
  }
});

test('the page reports why an embedded snapshot cannot be read', async () => {
  const bad = gzipSync(Buffer.from([4, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3]));
  writeFileSync(join(folder, 'bad.html'), withSnapshot(bad));
  await openAt(`file://${join(folder, 'bad.html')}`);
  await page.getByText('This snapshot cannot be shown').waitFor();
  await page.getByText('JSON of 200 bytes in a message of 11').waitFor();
});

test('in WebKit with the C locale, whose language is "c", the page is shown', async () => {
  await openAt(`file://${join(folder, 'sample.html')}`, {
    script: () => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'c' }),
  });
  await page.locator('#view-owners tbody tr').first().waitFor();
});

test('an exception while the script is loaded or the page starts is a sentence on it', async () => {
  for (const [name, script] of [
    ['no such tag', () => {
      Intl.NumberFormat = function () { throw new RangeError('no such tag'); };
    }],
    ['ResizeObserver', () => { window.ResizeObserver = undefined; }],
  ]) {
    await page?.finish();
    await openAt(`file://${join(folder, 'sample.html')}`, { script, expect: new RegExp(name) });
    await page.getByText('The page cannot be shown').waitFor();
    await page.getByText(name).waitFor();
  }
});

test('on paper all parts fit, and the colours of legend and grid are kept',
  firefoxLacks('emulated media'), async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`, { dark: true });
  await settled(page);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 720, height: 900 });
  const look = await page.evaluate(() => {
    const style = (name) => getComputedStyle(document.querySelector(name));
    const cut = [...document.querySelectorAll('.panel, .panel-body, .block-grid, .overview')]
      .filter((part) => part.clientWidth > 0 && (part.scrollWidth > part.clientWidth ||
        part.getBoundingClientRect().right > innerWidth));
    return {
      cut: cut.map((part) => part.className),
      adjust: ['.swatch', '.block-grid canvas'].map((name) => style(name).printColorAdjust),
      text: style('.legend li').color,
      height: getComputedStyle(document.body).overflow,
      tools: style('.toolbar').display,
    };
  });
  assert.deepEqual(look, {
    cut: [], adjust: ['exact', 'exact'], text: 'rgb(68, 80, 95)', height: 'visible', tools: 'none',
  });
});

test('without the view of memory the others take its room', async () => {
  await openSnapshot(`file://${join(folder, 'sample.html')}`);
  const right = (name) => page.locator(name).evaluate(
    (part) => innerWidth - part.getBoundingClientRect().right
  );
  await page.keyboard.press('1');
  await settled(page);
  const [inspector, owners] = ['#view-inspector', '#view-owners'];
  assert.ok(await right(owners) < 20, `owners: ${await right(owners)} px to the right`);
  await page.keyboard.press('3');
  assert.ok(await right(inspector) < 20, `inspector: ${await right(inspector)} px to the right`);
});
