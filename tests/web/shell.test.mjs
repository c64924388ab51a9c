// SPDX-License-Identifier: MIT
// What is around the views: buttons, menus, keys, bars, colours and themes; and that everything has room.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickCell, eventually, facts, settled, sideways } from './browser.mjs';
import { PAPER, SAFE, becomes, colour, happens, machine, open, page, server, shown } from './live_page.mjs';

test('three tool buttons show and hide the three views (C12); more for the others', async () => {
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

test('the View menu has every command, and each does what it says (C13, C14)', async () => {
  await open();
  const labels = ['Log', 'Page activity', 'Data inspector', 'Processes', 'Sectors', 'Statistics', 'Legend', 'Tool bar', 'Menu bar', 'Status bar'];
  const places = ['#view-log', '#view-pages', '#view-inspector', '#view-processes', '#view-slots', '#view-statistics', '#legend', '#toolbar', '#menubar', '#statusbar'];
  for (const [i, label] of labels.entries()) {
    const was = await page.locator(places[i]).isVisible();
    // F10 itself brings the menu bar back.
    for (const wanted of label === 'Menu bar' ? [!was, !was] : [!was, was]) {
      await page.keyboard.press('F10');
      const item = page.getByRole('menuitemcheckbox', { name: label, exact: false }).filter({ has: page.locator(`.menu-label:text-is("${label}")`) });
      await item.first().click();
      assert.equal(await page.locator(places[i]).isVisible(), wanted, label);
    }
  }
});

test('all bars can be hidden, and come back by key and by the pop-up menu (C13, C14)', async () => {
  await open();
  for (const key of ['t', 's', 'e', 'm']) await page.keyboard.press(key);
  for (const id of ['toolbar', 'statusbar', 'legend', 'menubar']) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
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

test('menus are worked by keys', async () => {
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

test('the colour-blind safe palette and both themes, kept for the next time', async () => {
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
  assert.equal(await page.getByRole('menuitemradio', { name: 'Colour-blind safe' }).getAttribute('aria-checked'), 'true');
});

test('the theme follows the system', async () => {
  await open({ dark: true });
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually('theme', () => page.locator('html').getAttribute('data-theme'), (theme) => theme === 'light');
});

test('names are text, never markup', async () => {
  machine.processes[0].comm = '<img src=x onerror=alert(1)>';
  await open();
  happens('in', 5, 1, 1000);
  await becomes(5, PAPER.in);
  await clickCell(page, 'pages', 5);
  const named = (all) => all.Process === '371 <img src=x onerror=alert(1)>';
  await eventually('facts', () => facts(page), named);
  assert.equal(await page.locator('img').count(), 0);
});

test('keys are listed, and the legend can always be had', async () => {
  await open();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  for (const words of ['Views: Log', 'Time: Live', 'move the selection']) await dialog.getByText(words, { exact: false }).first().waitFor();
  await page.keyboard.press('Escape');
  const words = ['not traced yet', 'swap-in', 'swap-out', 'in, then out', 'out, then in', 'traced, normal now', 'selected', 'overviews: out to in, the more the stronger'];
  assert.deepEqual(await page.locator('#legend li').allTextContents(), words);
});

test('forced colours: the legend keeps the colours of cells, and what is pressed can be seen', async () => {
  await open();
  const look = () => page.evaluate(() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    const swatches = ['untraced', 'in', 'out', 'normal', 'in-out', 'out-in', 'mixed'];
    return {
      colours: swatches.map((name) => style(`.swatch-${name}`)).map((one) => one.backgroundColor + one.backgroundImage),
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

test('everything can be reached by Tab, and says what it is', async () => {
  await open();
  machine.run(1000, 20);
  server.round(0);
  await page.locator('#view-processes tbody tr').first().waitFor();
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      return { key: `${element.tagName}#${element.id}.${element.className}:${name}`.slice(0, 90), name, ring: getComputedStyle(element).outlineStyle };
    });
    if (found.key.startsWith('BODY')) continue;
    assert.notEqual(found.name, '', found.key);
    assert.notEqual(found.ring, 'none', `${found.key} shows that it has the focus`);
    seen.add(found.key);
  }
  for (const wanted of ['View', 'tool-log', 'tool-statistics', 'Moment of the trace', 'Live', 'Page activity: a block', 'All memory', 'Log of swap-ins', 'Log lines of process', 'TR#', 'Hide Log'])
    assert.ok([...seen].some((key) => key.includes(wanted)), `${wanted} among ${[...seen].join('\n')}`);
});

test('with all six views at 1400 by 900 nothing is cut off without a way to it', async () => {
  await open({ width: 1400, height: 900 });
  for (const id of ['slots', 'statistics']) await page.locator(`#tool-${id}`).click();
  for (let t = 0; t <= 9000; t += 300) machine.run(t, 5);
  server.round(0);
  const list = page.locator('.log-list');
  await page.locator('.log-rows .log-row').first().waitFor();
  await settled(page);
  const heads = page.locator('.log-head [role=columnheader]');
  await heads.last().scrollIntoViewIfNeeded();
  for (const name of ['Slot, hex', 'Sector, hex', 'Flags']) assert.ok(await heads.getByText(name).isVisible(), name);
  const room = await list.boundingBox();
  const flags = await heads.last().boundingBox();
  assert.ok(flags.x + flags.width <= room.x + room.width + 1, 'the last column can be scrolled to');
  const head = await page.locator('.log-head').boundingBox();
  const tops = await page.locator('.log-rows .log-row').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  assert.ok(tops.some((top) => Math.abs(top - head.y - head.height) < 1), `a row begins where the heading ends: ${tops} below ${head.y + head.height}`);
  const chart = page.locator('.chart').last();
  await chart.scrollIntoViewIfNeeded();
  const [box, panel] = [await chart.boundingBox(), await page.locator('#view-statistics').boundingBox()];
  assert.ok(box.y + box.height <= panel.y + panel.height + 1, 'the last chart can be scrolled to');
});

test('on a phone nothing scrolls sideways, and the losses are always in sight', async () => {
  server.mode = 'replay';
  server.lost = 17;
  for (let t = 0; t <= 9000; t += 300) machine.run(t, 5);
  await open({ width: 390, height: 844 });
  server.round(0);
  const inSight = async (when) => {
    for (const text of ['17 lost', '0 not logged']) {
      const { x, y, width, height } = await page.locator('.statusbar').getByText(text).boundingBox();
      const whole = x >= 0 && y >= 0 && x + width <= 390 && y + height <= 844;
      assert.ok(whole, `${text}, ${when}: ${[x, y, width, height]}`);
    }
    assert.deepEqual(await sideways(page), [], when);
  };
  await inSight('at first');
  for (const id of ['slots', 'statistics']) await page.locator(`#tool-${id}`).click();
  await page.locator('#view-processes tbody tr').first().click();
  await page.locator('.last-ten tbody tr').first().waitFor();
  await clickCell(page, 'pages', 5);
  await page.locator('.status').first().waitFor();
  await inSight('with all views');
  await page.locator('#legend').scrollIntoViewIfNeeded();
  await inSight('at the end of the page');
  for (const key of ['g', '?']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await sideways(page), [], `dialog of ${key}`);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('F10');
  assert.deepEqual(await sideways(page), [], 'menu');
});

test('at 700 pixels the replay has its speed and pause', async () => {
  server.mode = 'replay';
  await open({ width: 700, height: 900 });
  for (const name of ['.replay select', '.replay-pause', '.live', '.hold']) {
    const box = await page.locator(name).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 700, `${name}: ${JSON.stringify(box)}`);
  }
});
