// SPDX-License-Identifier: MIT
// What tests of a snapshot's page share: the page as one file, and its inspector.

import { readFileSync } from 'node:fs';
import { clickCell, html } from './browser.mjs';

export const number = (text) => Number(text.replace(/\D/g, ''));

/** The page with a snapshot in it, which is compressed. */
export const withSnapshot = (bytes) => readFileSync(html, 'utf8').replace('<!--SNAPSHOT-->', `<script type="application/octet-stream" id="snapshot">${bytes.toString('base64')}</script>`);

export async function inspectFrame(page, frame) {
  await page.keyboard.press('g');
  await page.getByLabel('Beginning page number').fill(frame.toString(16));
  await page.keyboard.press('Enter');
  await clickCell(page, 'memory', frame % 2048);
}

export const listed = (page) => page.evaluate(() => [...document.querySelectorAll('.mapping-head')].map((head) => head.textContent).sort());
