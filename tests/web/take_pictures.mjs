// SPDX-License-Identifier: MIT
// Regenerates the pictures of the documents:
//
//   take_pictures.mjs STORM SNAPSHOT RAM BEFORE AFTER FOLDER
//
// RAM is a snapshot of the whole of RAM with owners (samples/ram-kcore.txt.zst), BEFORE and AFTER
// are two of one machine (samples/ram-files.txt.zst, samples/ram-split.pmc.zst). The environment
// variable PHYSMEM_VIEW names the program.

import { openPage, waitForFrames, startBrowser } from './browser.mjs';
import { startView } from './view_process.mjs';

const [storm, snapshot, ram, before, after, folder] = process.argv.slice(2);
const browser = await startBrowser();

/** A held storm, 12 s after its start, with one of its pages in the inspector. */
async function takeStorm(name, dark) {
  const view = await startView('--replay', storm, '--speed', '30');
  const page = await openPage(browser, view.url, { dark });
  await page.locator('.status-time').getByText('trace ended').waitFor({ timeout: 60_000 });
  const slider = page.locator('input[type="range"]');
  await slider.evaluate((input) => {
    input.value = 12_000;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await waitForFrames(page, 90);
  const rows = page.locator('.log-row:not(.log-gap)');
  const line = await rows.evaluateAll((all) =>
    all.findIndex((row) => /[0-9A-F]{9}/.test(row.textContent)));
  await rows.nth(Math.max(line, 0)).click();
  await page.locator('[data-fact="Process"]').waitFor();
  await waitForFrames(page, 30);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.finish();
  await view.stop();
}

async function takeSnapshot(name) {
  const view = await startView(snapshot);
  const page = await openPage(browser, view.url, {});
  await waitForFrames(page, 90);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.finish();
  await view.stop();
}

/** The frames of a file, its inspected frame, and the map of pageblocks. */
async function takeFile(page) {
  await page.keyboard.press('b');
  await page.keyboard.press('/');
  await page.keyboard.type('known');
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
}

/** The slab caches in the ledger, the list and memory. */
async function takeSlab(page) {
  await page.locator('#colour-by').selectOption('Slab cache');
  await page.locator('.ledger-part[title^="slab caches:"]').click();
}

async function takeRam(name, steps, dark) {
  const view = await startView(ram);
  const page = await openPage(browser, view.url, { dark });
  await page.locator('#view-memory').waitFor();
  await steps(page);
  await waitForFrames(page, 60);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.finish();
  await view.stop();
}

/** The treemap, and what changed between two snapshots. */
async function takeChanges(name) {
  const view = await startView(before, after);
  const page = await openPage(browser, view.url, { dark: true });
  await page.locator('#view-changes tbody tr').first().waitFor();
  for (const key of ['1', '2', '3', '.']) await page.keyboard.press(key);
  await page.getByLabel('Changes of').selectOption('Classes of RAM');
  await page.locator('.treemap-box').first().waitFor();
  await waitForFrames(page, 60);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.finish();
  await view.stop();
}

await takeStorm('page', false);
await takeStorm('page-dark', true);
await takeSnapshot('snapshot');
await takeRam('ram', takeFile, false);
await takeRam('ram-dark', takeSlab, true);
await takeChanges('changes');
await browser.close();
