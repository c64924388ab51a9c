// SPDX-License-Identifier: MIT
// The tree of a snapshot's pages, and the boxes of a treemap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { squarify } = await load('snapshot/squarify.ts');
const { usageTree } = await load('snapshot/usage_tree.ts');
const { changeTables, signed } = await load('snapshot/change_lists.ts');

test('boxes are as large as their values and fill the room without overlaps', () => {
  const values = [6, 6, 4, 3, 2, 2, 1];
  const boxes = squarify(values, { x: 10, y: 20, width: 6, height: 4 });
  boxes.forEach(({ width, height }, i) => assert.ok(Math.abs(width * height - values[i]) < 1e-9));
  for (const { x, y, width, height } of boxes) {
    assert.ok(x >= 10 - 1e-9 && y >= 20 - 1e-9);
    assert.ok(x + width <= 16 + 1e-9 && y + height <= 24 + 1e-9);
  }
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(
    a.x + a.width <= b.x + 1e-9 || b.x + b.width <= a.x + 1e-9 ||
    a.y + a.height <= b.y + 1e-9 || b.y + b.height <= a.y + 1e-9
  )));
  // The example of the paper: its first boxes are 3 by 2.
  assert.deepEqual(boxes[0], { x: 10, y: 20, width: 3, height: 2 });
});

test('boxes without room or without values have no size', () => {
  assert.deepEqual(squarify([], { x: 0, y: 0, width: 5, height: 5 }), []);
  assert.equal(squarify([1], { x: 0, y: 0, width: 0, height: 5 })[0].width, 0);
});

test('a page of two mappings counts one half for each process', () => {
  const facts = {
    processes: [{ comm: 'cat', tgid: 7 }, { comm: 'dog', tgid: 8 }],
    units: ['/bin/cat', '[heap]'], regions: ['heap', 'library text'],
    areas: [
      { process: 0, unit: 0, region: 1 }, { process: 1, unit: 0, region: 1 },
      { process: 1, unit: 1, region: 0 },
    ],
  };
  const tree = usageTree({
    facts, area: [0, 1, 2, 2], pages: [4, 4, 3, 2], mappings: [2, 2, 1, 0],
  }, null);
  assert.equal(tree.name, 'All processes');
  assert.equal(tree.pages, 9);
  assert.deepEqual(tree.children.map(({ name, pages }) => [name, pages]), [
    ['dog 8', 7], ['cat 7', 2],
  ]);
  const [dog] = tree.children;
  assert.deepEqual(dog.children.map(({ name, pages }) => [name, pages]), [
    ['heap', 5], ['library text', 2],
  ]);
  assert.deepEqual(dog.children[0].children[0].focus, { scheme: 'unit', index: 1 });
});

test('a list of changes has its columns, and finds its rows in the shown snapshot', () => {
  const row = { name: 'cat', pid: 7, state: 'stayed', before: 5, after: 3, came: 1, went: 3 };
  const list = { rows: [row], unchanged: 2, left_out: 0 };
  const tables = changeTables({ processes: list, units: list, classes: list });
  assert.deepEqual(tables.map(({ id }) => id), ['process', 'unit', 'class']);
  const change = tables[0].columns[4];
  assert.equal(change.value(0), 2);
  assert.equal(change.text(0), '\u22122');
  assert.equal(signed(1234), '+1\u2009234');
  const snapshot = { facts: { processes: [{ comm: 'x', tgid: 1 }, { comm: 'cat', tgid: 7 }] } };
  assert.deepEqual(tables[0].focus(snapshot, row), { scheme: 'process', index: 1 });
  assert.equal(tables[0].focus(snapshot, { ...row, pid: 9 }), null);
});
