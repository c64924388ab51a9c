// SPDX-License-Identifier: MIT
// What the decoders make of bytes: of good ones, of short ones, of nonsense.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { decodeBinary } = await load('protocol/binary.ts');
const { decodeText } = await load('protocol/messages.ts');
const { decodeSnapshot } = await load('protocol/snapshot.ts');

const bytesOf = (numbers) => new Uint8Array(numbers).buffer;
const u32 = (value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
const u16 = (value) => [value & 255, value >> 8];

test('cells of pages: index, kinds and both times', () => {
  const cells = decodeBinary(bytesOf([
    1, 0, 1, 0, ...u32(3), ...u32(2),
    ...u16(7), 1, 2, ...u32(8101), ...u32(8000),
    ...u16(2047), 2, 0, ...u32(4294967295), ...u32(0),
  ]));
  assert.equal(cells.what, 'pages');
  assert.equal(cells.whole, true);
  assert.equal(cells.block, 3);
  assert.deepEqual([...cells.index], [7, 2047]);
  assert.deepEqual([...cells.kind], [1, 2]);
  assert.deepEqual([...cells.before], [2, 0]);
  assert.deepEqual([...cells.t], [8101, 4294967295]);
  assert.deepEqual([...cells.tBefore], [8000, 0]);
});

test('cells of slots name their area', () => {
  const cells = decodeBinary(bytesOf([2, 5, 0, 0, ...u32(1), ...u32(0)]));
  assert.equal(cells.what, 'slots');
  assert.equal(cells.area, 5);
  assert.equal(cells.whole, false);
});

test('an overview has sums of blocks', () => {
  const overview = decodeBinary(bytesOf([
    3, 0, 0, 0, ...u32(1), ...u32(9), ...u32(100), ...u32(50), ...u32(7), ...u32(3),
  ]));
  assert.deepEqual(
    [overview.what, overview.block[0], overview.ins[0], overview.outs[0]],
    ['overview', 9, 100, 50]);
  assert.deepEqual([overview.lateIns[0], overview.lateOuts[0]], [7, 3]);
});

test('truncated or unknown messages are rejected with a reason', () => {
  assert.match(decodeBinary(bytesOf([1, 0, 1])).reason, /3 bytes/);
  assert.match(
    decodeBinary(bytesOf([1, 0, 1, 0, ...u32(3), ...u32(2), 1, 2])).reason, /for 2 cells/);
  assert.match(decodeBinary(bytesOf([1, 0, 1, 0, 1, 1])).reason, /a header has 12/);
  assert.match(
    decodeBinary(bytesOf([3, 0, 1, 0, ...u32(4294967295)])).reason, /for 4294967295 blocks/);
  assert.match(decodeBinary(bytesOf([3, 0, 1, 0])).reason, /a header has 8/);
  assert.match(decodeBinary(bytesOf([9, 0, 1, 0])).reason, /unknown kind 9/);
});

test('invalid JSON or a wrong shape is an error message', () => {
  assert.match(decodeText('{').error, /no JSON/);
  assert.match(decodeText('[1]').error, /no object/);
  assert.match(decodeText('null').error, /no object/);
  assert.match(decodeText('{"state":7}').error, /"state"/);
  assert.match(decodeText('{"processes":{}}').error, /"processes"/);
  assert.equal(decodeText('{"state":{"t":5}}').state.t, 5);
});

const message4 = (facts, columns) => {
  const text = new TextEncoder().encode(JSON.stringify(facts));
  const padding = Array((4 - (text.length % 4)) % 4).fill(32);
  return bytesOf([
    4, 0, 0, 0, ...u32(text.length), ...text, ...padding, ...columns.flat().flatMap(u32),
  ]);
};

for (const name of ['a', 'ab', 'abc', 'abcd'])
  test(`a snapshot's columns follow its JSON, padded (${name})`, () => {
    const columns = [[0, 1], [10, 20], [0x1000, 0xffffffff], [3, 1], [1, 2]];
    const snapshot = decodeSnapshot(message4({ units: [name], runs: 2 }, columns));
    assert.equal(snapshot.facts.units[0], name);
    assert.deepEqual([...snapshot.frame], [0x1000, 0xffffffff]);
    assert.deepEqual([...snapshot.mappings], [1, 2]);
  });

test('rejects a snapshot that is too short or too long', () => {
  assert.match(decodeSnapshot(message4({ runs: 2 }, [[1, 2]])), /for 2 runs: expected/);
  assert.match(decodeSnapshot(bytesOf([4, 0, 0, 0, ...u32(1000), 32, 32])), /JSON of 1000 bytes/);
  assert.match(decodeSnapshot(bytesOf([4, 0, 0, 0, ...u32(4), 123, 32, 32, 32])), /JSON/);
  assert.match(decodeSnapshot(bytesOf([4])), /1 bytes/);
});

test('columns of the whole of RAM follow those of the mappings', () => {
  const columns = [[0], [10], [0x1000], [3], [1], [5, 6], [7, 8], [0, 1], [2, 3], [0x10001, 0]];
  const snapshot = decodeSnapshot(message4({ runs: 1, ram: { runs: 2 } }, columns));
  assert.deepEqual([...snapshot.ram.pages], [5, 6]);
  assert.deepEqual([...snapshot.ram.payer], [0x10001, 0]);
  assert.match(decodeSnapshot(message4({ runs: 1, ram: { runs: 2 } }, columns.slice(1))),
    /for 1 runs: expected/);
});
