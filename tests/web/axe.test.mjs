// SPDX-License-Identifier: MIT
// axe must find no problem of any level in any state of the page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { clickCell, eventually, html, openPage, settled, startBrowser } from './browser.mjs';
import { Machine } from './mock_machine.mjs';
import { MockServer } from './mock_server.mjs';
import { textOf } from './ram_text.mjs';
import { program, startView } from './view_process.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
let folder;

before(async () => {
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** State, rule, element and problem of each finding. */
const findings = [];
afterEach(() => assert.deepEqual(findings.splice(0), []));

/** Injects axe as a debugger does, so the page's policy does not block it. */
async function check(page, state) {
  await settled(page);
  const isLoaded = await page.evaluate(() => 'axe' in window);
  if (!isLoaded) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html: markup, failureSummary }) =>
        `${id} (${impact}): ${markup.slice(0, 160)}: ${failureSummary}`));
  });
  findings.push(...found.map((finding) => `${state}: ${finding}`));
}

/** A server with 450 events and 17 lost ones. */
async function startMock(mode) {
  const machine = new Machine();
  for (let t = 0; t <= 9000; t += 300) machine.run(t, 15);
  const server = new MockServer(html, machine, { mode });
  server.lost = 17;
  server.ended = mode === 'replay';
  return { server, url: await server.listen() };
}

/** More than twelve processes; the owner of one is inferred. */
const manyProcesses = Array.from({ length: 13 }, (_, i) => ({
  tgid: 400 + i, comm: ['web', 'db'][i % 2], ins: 100 * i, outs: 9, inferred: i === 5 ? 3 : 0,
  address: '7F10C2A00000', address_inferred: i === 5, in_rate: i === 3 ? 0 : 1, out_rate: 0,
  kind: 'in', t: 100 * i,
}));

async function checkDialogs(page) {
  for (const key of ['g', '?']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await check(page, `dialog of ${key}`);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('F10');
  await check(page, 'View menu');
  await page.keyboard.press('Escape');
}

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`axe finds nothing in a live page and a replay, ${theme}`, async () => {
    for (const mode of ['live', 'replay']) {
      const { server, url } = await startMock(mode);
      const page = await openPage(browser, url, { dark, width: 1400, height: 900 });
      await eventually('greeting', () => page.locator('.cover').isHidden(), Boolean);
      server.round(0);
      await check(page, mode);
      for (const id of ['slots', 'statistics']) await page.locator(`#tool-${id}`).click();
      server.all({ processes: manyProcesses, other: { processes: 3, ins: 1, outs: 0 } });
      await page.getByLabel('by name').check();
      await clickCell(page, 'pages', 5);
      await page.locator('.status').first().waitFor();
      server.all({ log: { lines: [], more: 123 } });
      server.all({ error: 'something is wrong' });
      await check(page, `${mode}, all views`);
      await page.getByLabel('Moment of the trace').fill('3000');
      await page.getByLabel('by name').uncheck();
      await page.locator('#view-processes tr[data-tgid="401"]').click();
      await check(page, `${mode}, a process, held`);
      if (mode === 'live') await checkDialogs(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await check(page, `${mode}, phone`);
      await page.finish();
      server.close();
    }
  });

  test(`axe finds nothing in a page that waits or has lost its server, ${theme}`, async () => {
    const server = new MockServer(html, new Machine(), { recording: false });
    const page = await openPage(browser, await server.listen(), { dark, expect: /WebSocket/ });
    await page.getByText('Waiting for the configuration').waitFor();
    await check(page, 'waiting');
    server.close();
    await page.getByText('is lost').waitFor();
    await check(page, 'lost');
    await page.finish();
  });

  test(`axe finds nothing in a snapshot, served and in a file, ${theme}`, async () => {
    const file = join(folder, `${theme}.html`);
    execFileSync(program, ['--html', file, process.env.PAGE_SNAPSHOT], { stdio: 'ignore' });
    const view = await startView(process.env.PAGE_SNAPSHOT);
    for (const [what, url] of [['served', view.url], ['file', `file://${file}`]]) {
      const page = await openPage(browser, url, { dark, width: 1400, height: 900 });
      await page.locator('#view-owners tbody tr').first().waitFor();
      await check(page, what);
      await page.locator('#view-owners tbody tr').first().click();
      await clickCell(page, 'memory', 0);
      await page.locator('.mappings, .empty').first().waitFor();
      await check(page, `${what}, a process and a frame`);
      if (what === 'file') await checkDialogs(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await check(page, `${what}, phone`);
      await page.finish();
    }
    await view.stop();
  });

  test(`axe finds nothing in a snapshot of the whole of RAM, ${theme}`, async () => {
    const sample = join(dirname(process.env.PAGE_SNAPSHOT), 'ram-kcore.txt.zst');
    writeFileSync(join(folder, 'one.txt'), textOf(sample));
    const view = await startView(sample, join(folder, 'one.txt'));
    const page = await openPage(browser, view.url, { dark, width: 1400, height: 900 });
    await page.locator('#view-owners tbody tr').first().waitFor();
    await check(page, 'classes, and a film');
    await page.locator('.treemap-box').first().waitFor();
    await check(page, 'treemap and changes');
    await page.keyboard.press('/');
    await page.keyboard.type('known');
    await page.keyboard.press('Enter');
    await page.keyboard.press('n');
    await check(page, 'a file and a frame of it');
    await page.locator('.ledger-part[title^="slab caches:"]').click();
    await page.locator('#tool-pageblocks').click();
    await page.locator('#colour-by').selectOption('Process');
    await check(page, 'owners of a class, pageblocks');
    await page.getByLabel('List', { exact: true }).selectOption('Everything');
    await page.locator('#view-owners tbody tr').first().focus();
    await page.keyboard.press('End');
    await check(page, 'the end of a long list');
    await page.setViewportSize({ width: 390, height: 844 });
    await check(page, 'phone');
    await page.finish();
    await view.stop();
  });
}
