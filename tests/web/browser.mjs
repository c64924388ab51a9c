// SPDX-License-Identifier: MIT
// Starts Debian's Chromium or Firefox and opens the page in it. An error or warning of the page, a
// violation of its policy, or a request to another host fails the test.

import assert from 'node:assert/strict';
import { chromium, firefox } from 'playwright-core';

export const html = process.env.PAGE_HTML;
export const shots = process.env.PAGE_SHOTS;

/** Timeout of a broken page. No result depends on it. */
const LIMIT_MS = 120_000;

/** A warning that only the tests cause: they read pixels back. */
const OWN_WARNING = /willReadFrequently/;

const isFirefox = process.env.PAGE_BROWSER === 'firefox';

/** Options of a test that Firefox's protocol (WebDriver BiDi) cannot drive: it lacks `what`. */
export const firefoxLacks = (what) => (isFirefox ? { skip: `in Firefox: no ${what}` } : {});

/** No services of the vendor, and no theme of the desktop. */
const PREFERENCES = {
  'layout.css.prefers-color-scheme.content-override': 1,
  'app.normandy.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

/**
 * The driver always sends a colour scheme when it makes a context. Firefox does not know that
 * command, and the driver has no option to leave it out.
 */
async function startFirefox() {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    firefoxUserPrefs: PREFERENCES,
    timeout: 5 * LIMIT_MS,
  });
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, values) =>
    (method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send(method, values));
  return browser;
}

export async function startBrowser() {
  if (isFirefox) return startFirefox();
  const isRoot = process.getuid() === 0;
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: isRoot ? ['--no-sandbox'] : [],
  });
}

/**
 * options: width, height, dark, storage, holdMs (how long cells stay blue and red, unless storage
 * has it), expect (a pattern of errors that the test itself causes), ownClock (the test can move
 * the page's clock forward: page.clock), script (a function that runs before the page's scripts).
 */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    timezoneId: 'UTC',
    ...(options.storage ? { storageState: options.storage } : {}),
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const wrong = [];
  const host = new URL(url).host;
  page.on('pageerror', ({ message }) => {
    if (!options.expect?.test(message)) wrong.push(`error: ${message}`);
  });
  page.on('console', (entry) => {
    const isBad = entry.type() === 'error' || entry.type() === 'warning';
    // In Firefox, the text of a logged error is without its message.
    const isExpected = options.expect?.test(entry.text()) ||
      (isFirefox && options.expect && entry.text() === 'Error');
    const isHarmless = isExpected || OWN_WARNING.test(entry.text());
    if (isBad && !isHarmless) wrong.push(`console: ${entry.text()}`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    const isOwn = ['data:', 'blob:'].includes(target.protocol) || target.host === host;
    if (!isOwn) wrong.push(`a request to ${target.host}`);
  });
  page.texts = [];    // messages of the server, decoded
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
    const isText = typeof payload === 'string' && payload.startsWith('{"');
    if (isText) page.texts.push(JSON.parse(payload));
  }));
  await page.addInitScript(() => {
    window.refused = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.refused.push(`${violatedDirective} ${blockedURI}`));
  });
  if (options.holdMs) {
    await page.addInitScript((holdMs) => {
      if (document.URL === 'about:blank') return;    // it has no storage in Firefox
      const key = 'physmem-page';
      localStorage.getItem(key) ?? localStorage.setItem(key, JSON.stringify({ holdMs }));
    }, options.holdMs);
  }
  if (options.script) await page.addInitScript(options.script);
  if (options.ownClock) await page.clock.install();
  await page.goto(url);
  page.finish = async () => {
    const refused = await page.evaluate(() => window.refused);
    await context.close();
    assert.deepEqual(refused, [], 'refused by the policy');
    assert.deepEqual(wrong, []);
  };
  return page;
}

export async function shoot(page, name) {
  // In Firefox the driver adds a style for it, which the page's policy refuses.
  if (shots && !isFirefox) await page.screenshot({ path: `${shots}/${name}.png` });
}

/**
 * Colours of cells of a grid: middle, upper left half, lower right half, edge. The cell size is
 * computed from the size of the canvas; cells begin after the gutter and the header. The image is
 * read back once for all cells.
 */
export async function coloursOfCells(page, view, cells) {
  return page.evaluate(([id, indices]) => {
    const canvas = document.querySelector(`#view-${id} .block-grid canvas`);
    const picture = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const ratio = canvas.width / canvas.clientWidth;
    const [gutter, header] = [66, 16];
    const width = Math.floor((canvas.clientWidth - gutter - 1) / 64);
    const height = Math.floor((canvas.clientHeight - header - 1) / 32);
    return indices.map((index) => {
      const x = gutter + (index % 64) * width;
      const y = header + Math.floor(index / 64) * height;
      const at = (dx, dy) => {
        const left = Math.round((x + dx) * ratio);
        const top = Math.round((y + dy) * ratio);
        const pixel = 4 * (top * picture.width + left);
        return picture.data.slice(pixel, pixel + 3).join();
      };
      return {
        middle: at(Math.floor((width - 1) / 2), Math.floor((height - 1) / 2)),
        upperLeft: at(2, 1),
        lowerRight: at(width - 4, height - 3),
        edge: at(0, Math.floor(height / 2)),
        click: { x: x + width / 2, y: y + height / 2 },
      };
    });
  }, [view, cells]);
}

export const cellColours = async (page, view, cell) =>
  (await coloursOfCells(page, view, [cell]))[0];

/** Waits until wanted(get()) is true. A failure reports the last value. */
export async function eventually(what, get, wanted, ms = LIMIT_MS) {
  const end = Date.now() + ms;
  let last;
  do {
    last = await get();
    if (wanted(last)) return last;
    await new Promise((done) => setTimeout(done, 25));
  } while (Date.now() < end);
  assert.fail(`${what}: last value ${JSON.stringify(last)}`);
}

/** Waits until the page has drawn count more frames, at most 60 per second. */
export const waitForFrames = (page, count) => page.evaluate((wanted) => new Promise((done) => {
  let drawn = 0;
  const draw = () => (drawn++ < wanted ? requestAnimationFrame(draw) : done());
  draw();
}), count);

/**
 * Waits until no canvas or panel has moved for three frames. The greeting changes the layout, and
 * a grid gets its cells only after that. For a frame or two a click would hit another cell than
 * the one that was measured.
 */
export const settled = (page) => page.evaluate(() => new Promise((done) => {
  let [last, same] = ['', 0];
  const look = () => {
    const places = [...document.querySelectorAll('canvas, .panel')].map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height];
    });
    const now = places.join();
    same = now === last ? same + 1 : 0;
    last = now;
    if (same < 3) requestAnimationFrame(look);
    else done();
  };
  look();
}));

/**
 * The elements that can be scrolled horizontally or are wider than the window. A user should have
 * to scroll down only.
 */
export const horizontalOverflow = (page) => page.evaluate(() => {
  const found = [...document.querySelectorAll('*')].filter((element) => {
    const { overflowX } = getComputedStyle(element);
    const isRoot = element === document.documentElement;
    const canScroll = isRoot || ['auto', 'scroll'].includes(overflowX);
    return canScroll && element.scrollWidth > element.clientWidth && element.clientWidth > 0;
  });
  return found.map((element) => `${element.tagName} ${element.className}: ${element.scrollWidth}`);
});

export const clickCell = async (page, view, cell) => {
  await settled(page);
  const { click } = await cellColours(page, view, cell);
  await page.locator(`#view-${view} .block-grid canvas`).click({ position: click });
};

/**
 * Opens the first process. Before the server's first table the list has a row without one. Rows
 * swap places while events arrive, so a pointer might never hit one in a slow browser.
 */
export const openFirstProcess = async (page) => {
  await page.locator('#view-processes tr[data-tgid]').first().dispatchEvent('click');
  await page.locator('.last-ten tbody tr').first().waitFor();
};

/** The inspector's facts by name. */
export const facts = (page) => page.evaluate(() => {
  const found = [...document.querySelectorAll('[data-fact]')];
  return Object.fromEntries(found.map((fact) => [fact.dataset.fact, fact.textContent]));
});

/**
 * The contrast of two colours of cellColours, from 1 to 21 (WCAG 2). A shape is visible at 3 or
 * more.
 */
export function contrast(one, other) {
  const luminance = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.split(',').map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
