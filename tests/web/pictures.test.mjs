// SPDX-License-Identifier: MIT
// Takes a picture of each view in each theme, palette and size for a visual check. Checks that
// nothing is cut off and nothing extends beyond the window.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  clickCell, eventually, html, openFirstProcess, openPage, shoot, startBrowser, waitForFrames,
} from './browser.mjs';
import { Machine } from './mock_machine.mjs';
import { MockServer } from './mock_server.mjs';
import { program } from './view_process.mjs';

const VIEWS = ['log', 'pages', 'inspector', 'processes', 'slots', 'statistics'];
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 800, height: 600 } };

let browser;
let server;
let url;

before(async () => {
  browser = await startBrowser();
  const machine = new Machine();
  for (let t = 0; t < 90_000; t += 100)
    machine.run(t, Math.round(20 + 40 * (1 + Math.sin(t / 9000))));
  server = new MockServer(html, machine);
  server.lost = 17;
  url = await server.listen();
  server.start(900);
});
after(async () => {
  server.close();
  await browser.close();
});

/** Checks that no text of a button or label is cut off, and no part extends beyond the window. */
async function assertNothingCutOff(page, name) {
  const wrong = await page.evaluate(() => {
    const found = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > window.innerWidth) found.push(`the page is ${scrollWidth} wide`);
    const parts = document.querySelectorAll('button, .figure-value, .menu-label, h2, h3, ' +
      '.swatch, dialog, .menu, .status-value');
    for (const element of parts) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || element.closest('[hidden]')) continue;
      const text = element.textContent.slice(0, 30);
      const name = `${element.tagName}.${element.className} "${text}"`;
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      if (isCut) found.push(`${name} is cut off`);
      const isOutside = box.right > window.innerWidth + 1 || box.left < -1;
      const canScroll = element.closest('.table-scroll, .details, .log-list');
      if (isOutside && !canScroll) found.push(`${name} extends beyond the window`);
    }
    return found;
  });
  assert.deepEqual(wrong, [], name);
}

async function picture(page, name) {
  await assertNothingCutOff(page, name);
  await shoot(page, name);
}

/** Shows the block of the machine's last event, and selects its frame. */
async function toActivity(page) {
  const frame = parseInt(server.machine.log.at(-1).frame, 16);
  const first = (Math.floor(frame / 2048) * 2048).toString(16);
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(first);
  await page.keyboard.press('Enter');
  const range = page.locator('.panel-pages .range');
  await range.getByText(first.toUpperCase().padStart(8, '0')).waitFor();
  await clickCell(page, 'pages', frame % 2048);
  await page.mouse.move(0, 0);
}

for (const [sizeName, size] of Object.entries(SIZES))
  for (const theme of ['light', 'dark'])
    for (const palette of ['paper', 'safe'])
      test(`all views have room: ${sizeName}, ${theme}, ${palette}`, async () => {
        const page = await openPage(browser, url, { ...size, dark: theme === 'dark' });
        const name = (what) => `${what}-${sizeName}-${theme}-${palette}`;
        await eventually('greeting', () => page.locator('.cover').isHidden(), Boolean);
        if (palette === 'safe') await page.keyboard.press('c');
        await toActivity(page);
        await picture(page, name('first'));
        await page.locator('#tool-slots').click();
        await page.locator('#tool-statistics').click();
        await waitForFrames(page, 3);
        await picture(page, name('all-views'));
        await page.finish();
      });

for (const [sizeName, size] of Object.entries(SIZES))
  for (const theme of ['light', 'dark']) {
    const start = async () => {
      const page = await openPage(browser, url, { ...size, dark: theme === 'dark' });
      await eventually('greeting', () => page.locator('.cover').isHidden(), Boolean);
      return { page, save: (what) => picture(page, `${what}-${sizeName}-${theme}`) };
    };
    const only = async (page, ...ids) => {
      for (const id of VIEWS) {
        const isShown = await page.locator(`#view-${id}`).isVisible();
        if (ids.includes(id) !== isShown) await page.locator(`#tool-${id}`).click();
      }
      await waitForFrames(page, 3);
    };

    test(`each view alone has room: ${sizeName}, ${theme}`, async () => {
      const { page, save } = await start();
      await toActivity(page);
      for (const id of VIEWS) {
        await only(page, id);
        await save(`only-${id}`);
      }
      await page.finish();
    });

    test(`an opened process, menus and dialogs have room: ${sizeName}, ${theme}`, async () => {
      const { page, save } = await start();
      await toActivity(page);
      await openFirstProcess(page);
      await waitForFrames(page, 3);
      await save('process');
      await page.locator('.hold').click();
      await waitForFrames(page, 3);
      await save('held');
      await page.keyboard.press('l');
      await page.keyboard.press('F10');
      await save('view-menu');
      await page.keyboard.press('Escape');
      await page.locator('#view-inspector').click({ button: 'right' });
      await save('pop-up');
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.getByLabel('Beginning page number').fill('zz');
      await page.keyboard.press('Enter');
      await save('configuration');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await save('keys');
      await page.finish();
    });

    test(`a page that waits or has lost its server has room: ${sizeName}, ${theme}`, async () => {
      const quiet = new MockServer(html, new Machine(), { recording: false });
      const page = await openPage(browser, await quiet.listen(),
        { ...size, dark: theme === 'dark', expect: /WebSocket/ });
      await page.getByText('Waiting for the configuration').waitFor();
      await picture(page, `waiting-${sizeName}-${theme}`);
      quiet.close();
      await page.getByText('is lost').waitFor();
      await picture(page, `lost-${sizeName}-${theme}`);
      await page.finish();
    });

    test(`a snapshot has room: ${sizeName}, ${theme}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
      const file = join(folder, 'sample.html');
      execFileSync(program, ['--html', file, process.env.PAGE_SNAPSHOT], { stdio: 'ignore' });
      assert.ok(readFileSync(file, 'utf8').includes('id="snapshot"'));
      const page = await openPage(browser, `file://${file}`, { ...size, dark: theme === 'dark' });
      await page.locator('#view-owners tbody tr').first().waitFor();
      await clickCell(page, 'memory', 0);
      await page.mouse.move(0, 0);
      await picture(page, `snapshot-process-${sizeName}-${theme}`);
      await page.locator('#colour-by').selectOption('Mapped file');
      await page.locator('#view-owners tbody tr').nth(1).click();
      await picture(page, `snapshot-unit-${sizeName}-${theme}`);
      await page.finish();
      rmSync(folder, { recursive: true });
    });

    test(`the whole of RAM and a film have room: ${sizeName}, ${theme}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
      const file = join(folder, 'film.html');
      const sample = join(dirname(process.env.PAGE_SNAPSHOT), 'ram-kcore.txt.zst');
      execFileSync(program, ['--html', file, sample, sample], { stdio: 'ignore' });
      const page = await openPage(browser, `file://${file}`, { ...size, dark: theme === 'dark' });
      await page.locator('#view-owners tbody tr').first().waitFor();
      const save = async (what) => {
        await waitForFrames(page, 3);
        await picture(page, `${what}-${sizeName}-${theme}`);
      };
      await save('ram-class');
      await page.keyboard.press('/');
      await page.keyboard.type('known');
      await page.keyboard.press('Enter');
      await page.keyboard.press('n');
      await save('ram-file');
      await page.locator('.ledger-part[title^="shared memory:"]').click();
      await page.locator('#colour-by').selectOption('Cached file');
      await page.locator('#tool-pageblocks').click();
      await save('ram-page-blocks');
      await page.getByLabel('List', { exact: true }).selectOption('Tasks and code');
      await page.locator('#view-owners tbody tr').first().click();
      await page.locator('#colour-by').selectOption('Owner');
      await save('ram-code');
      await page.finish();
      rmSync(folder, { recursive: true });
    });
  }
