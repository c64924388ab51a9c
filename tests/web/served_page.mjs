// SPDX-License-Identifier: MIT
// A browser, a folder for the files of the tests, and for each test a physmem-view and a page. The
// exported variables get new values for each test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { openPage, startBrowser } from './browser.mjs';
import { startView } from './view_process.mjs';

export const folder = mkdtempSync(join(tmpdir(), 'physmem-page-'));
let browser;
export let view;
export let page;

before(async () => (browser = await startBrowser()));
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

/** Starts physmem-view without opening its page. */
export async function start(...args) {
  await view?.stop();
  view = await startView(...args);
}

/** Opens the page at an address: of the started physmem-view, or a file that it wrote. */
export async function openAt(url, options) {
  page = await openPage(browser, url, options);
  return page;
}

/** Opens the page of a snapshot. Keys and the search work when the view of memory is there. */
export async function openSnapshot(url, options) {
  await openAt(url, options);
  await page.locator('#view-memory').waitFor();
}

export async function serve(files, options) {
  await start(...files);
  await openSnapshot(view.url, options);
}
