// SPDX-License-Identifier: MIT
// Shared by the tests of a snapshot's page: the page as one file, and its inspector.

import { readFileSync } from 'node:fs';
import { clickCell, html } from './browser.mjs';

export const number = (text) => Number(text.replace(/\D/g, ''));

/** The page with a compressed snapshot in it. */
export function withSnapshot(bytes) {
  const begin = '<script type="application/octet-stream" id="snapshot">';
  const element = `${begin}${bytes.toString('base64')}</script>`;
  return readFileSync(html, 'utf8').replace('<!--SNAPSHOT-->', element);
}

export async function inspectFrame(page, frame) {
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(frame.toString(16));
  await page.keyboard.press('Enter');
  await clickCell(page, 'memory', frame % 2048);
}

/** The mappings that the inspector lists. */
export const listed = (page) => page.evaluate(() => {
  const heads = [...document.querySelectorAll('.mapping-head')];
  return heads.map((head) => head.textContent).sort();
});
