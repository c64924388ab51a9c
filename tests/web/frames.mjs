// SPDX-License-Identifier: MIT
// Looks at a page until its server ends, and says how many frames a second it drew in so many seconds of that, the slowest second, and its
// longest frame:
//
//   view-load --rate 100000 --seconds 60 --most-percent 5 --page PAGE_HTML | node frames.mjs 50 30
//
// The address is the first that stands in standard input. Exit status 1: fewer than so many in the slowest second.

import { createInterface } from 'node:readline';
import { startBrowser } from './browser.mjs';

const seconds = Number(process.argv[2] ?? 10);
const least = Number(process.argv[3] ?? 0);
const server = createInterface({ input: process.stdin });
const end = new Promise((done) => server.on('close', done));
for await (const line of server) {
  const found = /http:\/\/\S+/.exec(line);
  if (!found) {
    console.log(line);
    continue;
  }
  look(found[0]).catch((error) => {
    console.error(`frames: ${error.message}`);
    process.exitCode = 1;
  });
}

async function look(url) {
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await page.locator('.cover').waitFor({ state: 'hidden' });
  await page.locator('#tool-statistics').click();
  const times = await page.evaluate((ms) => new Promise((done) => {
    const seen = [];
    const draw = (now) => {
      seen.push(now);
      if (now - seen[0] < ms) requestAnimationFrame(draw);
      else done(seen);
    };
    requestAnimationFrame(draw);
  }), seconds * 1000);
  const ins = await page.locator('[data-total="in"]').textContent();
  await end;
  await browser.close();
  const each = Array.from({ length: seconds }, (_, s) => times.filter((t) => Math.floor((t - times[0]) / 1000) === s).length);
  const longest = Math.max(...times.slice(1).map((t, i) => t - times[i]));
  if (Math.min(...each) < least) process.exitCode = 1;
  console.log(`frames: ${((times.length - 1) / seconds).toFixed(1)} a second, ${Math.min(...each)} in the slowest, the longest ${longest.toFixed(0)} ms; ${ins} swap-ins shown at last`);
}
