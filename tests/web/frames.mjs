// SPDX-License-Identifier: MIT
// Opens a page until its server ends. Prints the frame rate over SECONDS, the rate of the slowest
// second, and the longest frame:
//
//   node frames.mjs [SECONDS [MIN_RATE]]
//   view-load --rate 100000 --seconds 60 --most-percent 5 --page PAGE_HTML | node frames.mjs 50 30
//
// The address is the first one in standard input. Exit status 1: the slowest second had fewer than
// MIN_RATE frames.

import { createInterface } from 'node:readline';
import { startBrowser } from './browser.mjs';

const seconds = Number(process.argv[2] ?? 10);
const minRate = Number(process.argv[3] ?? 0);
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
  const inSecond = (s) => times.filter((t) => Math.floor((t - times[0]) / 1000) === s).length;
  const each = Array.from({ length: seconds }, (_, s) => inSecond(s));
  const longest = Math.max(...times.slice(1).map((t, i) => t - times[i]));
  if (Math.min(...each) < minRate) process.exitCode = 1;
  console.log(`frames: ${((times.length - 1) / seconds).toFixed(1)} per second, ` +
    `${Math.min(...each)} in the slowest second, the longest took ${longest.toFixed(0)} ms; ` +
    `the page shows ${ins} swap-ins`);
}
