// SPDX-License-Identifier: MIT
// The live page with a scripted server: cells, blocks, slots and the inspector.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clickCell, eventually, facts } from './browser.mjs';
import {
  PAPER, becomes, colour, happens, hold, machine, open, page, server, showsBlock,
} from './live_page.mjs';

test('a cell is gray before the first event, then blue or red, then white (C7)', async () => {
  await open();
  await becomes(5, PAPER.untraced);
  happens('in', 5, 1, 1000);
  await becomes(5, PAPER.in);
  happens('out', 6, 2, 1100);
  await becomes(6, PAPER.out);
  happens('in', 9, 3, 5000);
  await becomes(5, PAPER.normal);
  await becomes(6, PAPER.normal);
});

test('without further events a cell becomes white by the clock of the page, ' +
  'with a hold time of one second', async () => {
  await open({ holdMs: 1000 });
  happens('in', 5, 1, 1000);
  await becomes(5, PAPER.normal);
});

test('a swap-in and a swap-out in succession give a cell two colours, ' +
  'in order of time (C8, X5)', async () => {
  await open();
  happens('in', 5, 1, 1000);
  happens('out', 5, 1, 1300);
  happens('out', 70, 2, 1300);
  happens('in', 70, 2, 1400);
  await becomes(5, PAPER.in, 'upperLeft');
  await becomes(5, PAPER.out, 'lowerRight');
  await becomes(70, PAPER.out, 'upperLeft');
  await becomes(70, PAPER.in, 'lowerRight');
});

test('cells stay blue and red for the chosen hold time', async () => {
  await open();
  await hold(5000);
  await page.reload();
  await eventually('greeting', () => page.locator('.cover').isHidden(), Boolean);
  happens('in', 5, 1, 1000);
  happens('in', 9, 3, 4000);
  await becomes(9, PAPER.in);
  assert.equal(await colour(5), PAPER.in);
  happens('in', 10, 3, 6100);
  await becomes(5, PAPER.normal);
});

test('a click selects a cell in green, and the inspector shows all fields of C9', async () => {
  await open();
  const event = happens('in', 0x123, 0x10, 8101);
  await clickCell(page, 'pages', 0x123);
  await becomes(0x123, PAPER.selected, 'edge');
  const found = await eventually('facts', () => facts(page), (all) => all.Process);
  assert.equal(found.Process, '371 pagefault2');
  assert.equal(found['Page number'], '00000123');
  assert.equal(found['Swapped in'], '14:03:28.202');
  assert.equal(found['Virtual address'], event.address);
  assert.equal(found.Sector, '80');
  assert.equal(found.Slot, '0:10');
  assert.equal(found['Service time'], `${event.service_us}\u2009µs`);
  const status = page.locator('.status-value');
  assert.deepEqual(await status.allTextContents(), ['resident', 'holds', 'copy']);
  const words = await page.locator('[data-status="Virtual page"] p').textContent();
  assert.match(words, /read in at 14:03:28\.202 and not written out since/);
});

test('an event of the selected page updates the inspector', async () => {
  await open();
  happens('in', 0x123, 0x10, 8101);
  await clickCell(page, 'pages', 0x123);
  await eventually('facts', () => facts(page), (all) => all['Swapped in']);
  happens('out', 0x123, 0x11, 8200);
  await eventually('facts', () => facts(page), (all) => all['Swapped out'] === '14:03:28.301');
});

test('the inspector shows a frame without events as not traced yet', async () => {
  await open();
  await clickCell(page, 'pages', 77);
  await page.locator('.inspector').getByText('Not traced yet').waitFor();
  const status = page.locator('.status-value');
  assert.deepEqual(await status.allTextContents(), ['unknown', 'unknown', 'unknown']);
});

test('keys move the selection, inspect it and change the block', async () => {
  await open();
  await page.locator('#view-pages .block-grid canvas').focus();
  const keys = ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft'];
  for (const key of keys) await page.keyboard.press(key);
  await becomes(65, PAPER.selected, 'edge');
  await becomes(0, PAPER.untraced, 'edge');
  await page.keyboard.press('Enter');
  await eventually('request', () => server.received.findLast((message) => message.inspect),
    (message) => message?.at === '41');
  await page.keyboard.press('PageDown');
  await showsBlock('00000800 – 00000FFF');
  const wanted = () => server.received.findLast((message) => message.want === 'pages');
  await eventually('pages requested', wanted, (message) => message?.begin === '800');
  await page.keyboard.press('PageUp');
  await showsBlock('00000000 – 000007FF');
  await page.keyboard.press('End');
  await becomes(2047, PAPER.selected, 'edge');
  await page.keyboard.press('PageUp');
  await showsBlock('00000000 – 000007FF');
});

test('a click on the overview shows that block and outlines it', async () => {
  await open();
  happens('out', 3 * 2048 + 1, 1, 1000);
  const canvas = page.locator('#view-pages .overview canvas');
  await canvas.click({ position: { x: 1 + 3 * 14 + 6, y: 7 } });
  await page.getByText('block 4 of 64').waitFor();
  await eventually('traced', () => colour(1),
    (found) => found === PAPER.out || found === PAPER.normal);
  const outline = await canvas.evaluate((element) => {
    const { data } = element.getContext('2d').getImageData(1 + 3 * 14, 7, 1, 1);
    return [...data.slice(0, 3)].join();
  });
  assert.equal(outline, PAPER.selected);
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('block 5 of 64').waitFor();
});

test('the slot view has the same colours, and a click shows a slot in the inspector', async () => {
  await open();
  await page.locator('#tool-slots').click();
  happens('out', 0x1234, 0x10, 1000);
  await becomes(0x10, PAPER.out, 'middle', 'slots');
  await becomes(0x11, PAPER.untraced, 'middle', 'slots');
  await clickCell(page, 'slots', 0x10);
  await becomes(0x10, PAPER.selected, 'edge', 'slots');
  const request = await eventually('request',
    () => server.received.findLast((message) => message.inspect), Boolean);
  assert.deepEqual(request, { inspect: 'slot', area: 0, at: '10' });
  await eventually('facts', () => facts(page),
    (all) => all.Sector === '80' && all['Page number'] === '00001234');
  assert.match(await page.locator('.panel-slots .range').textContent(), /8 sectors a slot/);
});

test('the overview of slots has the same colours as the overview of memory, ' +
  'and the view begins at the busiest block', async () => {
  await open();
  machine.event(2, machine.processes[0], 0x1234, 5 * 2048 + 3);
  machine.event(2, machine.processes[0], 0x1235, 5 * 2048 + 4);
  machine.event(1, machine.processes[0], 0x1236, 9 * 2048);
  await page.locator('#tool-slots').click();
  await page.locator('.panel-slots .range').getByText('00002800').waitFor();
  await becomes(3, PAPER.out, 'middle', 'slots');
  const canvas = page.locator('#view-slots .overview canvas');
  const block = (n) => canvas.evaluate((element, x) => {
    const { data } = element.getContext('2d').getImageData(x, 7, 1, 1);
    return [...data.slice(0, 3)].join();
  }, 1 + 14 * n + 6);
  machine.slotBlocks.recent.set(5, [0, 900]).set(9, [900, 0]);
  server.whole([...server.clients][0]);
  await eventually('written', () => block(5),
    (found) => Number(found.split(',')[0]) > 200 && Number(found.split(',')[2]) < 120);
  await eventually('read', () => block(9),
    (found) => Number(found.split(',')[2]) > 200 && Number(found.split(',')[0]) < 120);
  assert.equal(await block(2), PAPER.untraced);
});
