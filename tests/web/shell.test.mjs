// SPDX-License-Identifier: MIT
// Buttons, menus, keys, bars, colours and themes of the page. Nothing may be cut off.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clickCell, eventually, facts, firefoxLacks, horizontalOverflow, openFirstProcess, settled,
} from './browser.mjs';
import {
  PAPER, SAFE, becomes, colour, happens, machine, open, page, server, shown,
} from './live_page.mjs';

test('the first tool group has three buttons; each button toggles its view (C12)', async () => {
  await open();
  assert.equal(await page.locator('.tool-group').first().locator('button').count(), 3);
  for (const id of ['log', 'pages', 'inspector', 'processes', 'slots', 'statistics']) {
    const was = await shown(id);
    await page.locator(`#tool-${id}`).click();
    assert.equal(await shown(id), !was, id);
    assert.equal(await page.locator(`#tool-${id}`).getAttribute('aria-pressed'), String(!was));
    await page.locator(`#tool-${id}`).click();
    assert.equal(await shown(id), was, id);
  }
});

test('each command of the View menu shows and hides its part (C13, C14)', async () => {
  await open();
  const parts = {
    'Log': '#view-log', 'Page activity': '#view-pages', 'Data inspector': '#view-inspector',
    'Processes': '#view-processes', 'Sectors': '#view-slots', 'Statistics': '#view-statistics',
    'Legend': '#legend', 'Tool bar': '#toolbar', 'Menu bar': '#menubar',
    'Status bar': '#statusbar',
  };
  for (const [label, part] of Object.entries(parts)) {
    const was = await page.locator(part).isVisible();
    // F10 shows a hidden menu bar.
    for (const wanted of label === 'Menu bar' ? [!was, !was] : [!was, was]) {
      await page.keyboard.press('F10');
      const item = page.getByRole('menuitemcheckbox', { name: label, exact: false })
        .filter({ has: page.locator(`.menu-label:text-is("${label}")`) });
      await item.first().click();
      assert.equal(await page.locator(part).isVisible(), wanted, label);
    }
  }
});

test('hidden bars can be shown again by key and by the pop-up menu (C13, C14)', async () => {
  await open();
  for (const key of ['t', 's', 'e', 'm']) await page.keyboard.press(key);
  for (const id of ['toolbar', 'statusbar', 'legend', 'menubar'])
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  await page.locator('#view-inspector').click({ button: 'right', position: { x: 100, y: 200 } });
  const popup = page.getByRole('menu', { name: 'Commands' });
  await popup.getByText('Tool bar').click();
  assert.equal(await page.locator('#toolbar').isVisible(), true);
  assert.equal(await popup.isVisible(), false);
  await page.keyboard.press('m');
  assert.equal(await page.locator('#menubar').isVisible(), true);
  await page.keyboard.press('m');
  await page.keyboard.press('F10');
  assert.equal(await page.locator('#menubar').isVisible(), true, 'F10 brings the menu bar back');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'view-menu');
});

test('arrow keys, End, Home, a letter and Enter work in a menu', async () => {
  await open();
  await page.locator('#view-menu').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.command), 'pages');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('s');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.command), 'slots');
  await page.keyboard.press('Enter');
  assert.equal(await shown('slots'), true);
});

test('a reloaded page keeps the colour-blind safe palette and the dark theme', async () => {
  await open();
  happens('in', 5, 1, 1000);
  happens('out', 6, 2, 1000);
  await page.keyboard.press('c');
  await becomes(5, SAFE.in);
  await becomes(6, SAFE.out);
  await clickCell(page, 'pages', 6);
  await becomes(6, SAFE.selected, 'edge');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  await page.keyboard.press('F10');
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await becomes(900, '74,80,88');
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.keyboard.press('F10');
  const safe = page.getByRole('menuitemradio', { name: 'Colour-blind safe' });
  assert.equal(await safe.getAttribute('aria-checked'), 'true');
});

test('the theme follows the system setting', firefoxLacks('emulated media'), async () => {
  await open({ dark: true });
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually('theme', () => page.locator('html').getAttribute('data-theme'),
    (theme) => theme === 'light');
});

test('a command with markup is shown as text', async () => {
  machine.processes[0].comm = '<img src=x onerror=alert(1)>';
  await open();
  happens('in', 5, 1, 1000);
  await becomes(5, PAPER.in);
  await clickCell(page, 'pages', 5);
  const named = (all) => all.Process === '371 <img src=x onerror=alert(1)>';
  await eventually('facts', () => facts(page), named);
  assert.equal(await page.locator('img').count(), 0);
});

test('the Keys dialog lists the keys, and the legend has all colours', async () => {
  await open();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  for (const words of ['Views: Log', 'Time: Live', 'move the selection'])
    await dialog.getByText(words, { exact: false }).first().waitFor();
  await page.keyboard.press('Escape');
  const words = [
    'not traced yet', 'swap-in', 'swap-out', 'in, then out', 'out, then in', 'traced, normal now',
    'selected', 'overviews: out to in, the more the stronger',
  ];
  assert.deepEqual(await page.locator('#legend li').allTextContents(), words);
});

test('with forced colours the legend keeps its colours, ' +
  'and pressed buttons differ from others', firefoxLacks('emulated media'), async () => {
  await open();
  const look = () => page.evaluate(() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    const swatches = ['untraced', 'in', 'out', 'normal', 'in-out', 'out-in', 'mixed'];
    return {
      colours: swatches.map((name) => style(`.swatch-${name}`))
        .map((one) => one.backgroundColor + one.backgroundImage),
      selected: style('.swatch-selected').borderColor,
      pressed: style('#tool-log').backgroundColor, loose: style('#tool-slots').backgroundColor,
    };
  });
  const before = await look();
  assert.equal(new Set(before.colours).size, 7);
  await page.emulateMedia({ forcedColors: 'active' });
  assert.equal(await page.evaluate(() => matchMedia('(forced-colors: active)').matches), true);
  const forced = await look();
  assert.deepEqual(forced.colours, before.colours);
  assert.equal(forced.selected, before.selected);
  assert.notEqual(forced.pressed, forced.loose);
});

test('Tab reaches all controls; each has a name and shows the focus', async () => {
  await open();
  machine.run(1000, 20);
  server.round(0);
  await page.locator('#view-processes tr[data-tgid]').first().waitFor();
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      const key = `${element.tagName}#${element.id}.${element.className}:${name}`.slice(0, 90);
      const isOutside = !document.hasFocus();    // a control of the browser has the focus
      return { key, name, isOutside, ring: getComputedStyle(element).outlineStyle };
    });
    if (found.isOutside || found.key.startsWith('BODY')) continue;
    assert.notEqual(found.name, '', found.key);
    assert.notEqual(found.ring, 'none', `${found.key} shows that it has the focus`);
    seen.add(found.key);
  }
  const controls = [
    'View', 'tool-log', 'tool-statistics', 'Moment of the trace', 'Live', 'Page activity: a block',
    'All memory', 'Log of swap-ins', 'Log lines of process', 'TR#', 'Hide Log',
  ];
  for (const wanted of controls) {
    const isSeen = [...seen].some((key) => key.includes(wanted));
    assert.ok(isSeen, `${wanted} among ${[...seen].join('\n')}`);
  }
});

test('all parts of all six views can be scrolled to at 1400 by 900 pixels', async () => {
  await open({ width: 1400, height: 900 });
  for (const id of ['slots', 'statistics']) await page.locator(`#tool-${id}`).click();
  for (let t = 0; t <= 9000; t += 300) machine.run(t, 5);
  server.round(0);
  const list = page.locator('.log-list');
  await page.locator('.log-rows .log-row').first().waitFor();
  await settled(page);
  const head = await page.locator('.log-head').boundingBox();
  const tops = await page.locator('.log-rows .log-row').evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().top));
  assert.ok(tops.some((top) => Math.abs(top - head.y - head.height) < 1),
    `a row begins where the heading ends: ${tops} below ${head.y + head.height}`);
  const heads = page.locator('.log-head [role=columnheader]');
  await heads.last().scrollIntoViewIfNeeded();
  for (const name of ['Slot, hex', 'Sector, hex', 'Flags'])
    assert.ok(await heads.getByText(name).isVisible(), name);
  const room = await list.boundingBox();
  const flags = await heads.last().boundingBox();
  assert.ok(flags.x + flags.width <= room.x + room.width + 1, 'the last column can be scrolled to');
  const chart = page.locator('.chart').last();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  const panel = await page.locator('#view-statistics').boundingBox();
  assert.ok(box.y + box.height <= panel.y + panel.height + 1, 'the last chart can be scrolled to');
});

test('on a phone nothing scrolls horizontally, and the losses are always visible', async () => {
  server.mode = 'replay';
  server.lost = 17;
  for (let t = 0; t <= 9000; t += 300) machine.run(t, 5);
  await open({ width: 390, height: 844 });
  server.round(0);
  const checkLayout = async (when) => {
    const label = page.locator('.statusbar').getByText('17 lost');
    const { x, y, width, height } = await label.boundingBox();
    const whole = x >= 0 && y >= 0 && x + width <= 390 && y + height <= 844;
    assert.ok(whole, `${when}: ${[x, y, width, height]}`);
    assert.deepEqual(await horizontalOverflow(page), [], when);
  };
  await checkLayout('at first');
  for (const id of ['slots', 'statistics']) await page.locator(`#tool-${id}`).click();
  await openFirstProcess(page);
  await clickCell(page, 'pages', 5);
  await page.locator('.status').first().waitFor();
  await checkLayout('with all views');
  await page.locator('#legend').scrollIntoViewIfNeeded();
  await checkLayout('at the end of the page');
  for (const key of ['g', '?']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await horizontalOverflow(page), [], `dialog of ${key}`);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('F10');
  assert.deepEqual(await horizontalOverflow(page), [], 'menu');
});

test('without the grids the inspector takes their room', async () => {
  await open();
  for (const id of ['pages', 'slots'])
    if (await shown(id)) await page.locator(`#tool-${id}`).click();
  const { right } = await page.locator('#view-inspector').evaluate(
    (part) => part.getBoundingClientRect()
  );
  assert.ok(1280 - right < 20, `the inspector ends at ${right} of 1280 pixels`);
});

test('in a window of 700 pixels the controls of a replay are not cut off', async () => {
  server.mode = 'replay';
  await open({ width: 700, height: 900 });
  for (const name of ['.replay select', '.replay-pause', '.live', '.hold']) {
    const box = await page.locator(name).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 700, `${name}: ${JSON.stringify(box)}`);
  }
});
