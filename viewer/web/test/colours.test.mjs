// SPDX-License-Identifier: MIT
// The colours of classes: analyzer/model/frame_classes.h. Large classes differ in every kind of
// colour vision.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { luminance, parseColour, textOn } = await load('grid/colours.ts');

const header = readFileSync(`${process.env.PHYSMEM_SOURCE}/analyzer/model/frame_classes.h`, 'utf8');
const colours = new Map(
  [...header.matchAll(/\{PM_RAM_(\w+),[^}]*?0x([0-9A-F]{6})/g)]
    .map(([, name, digits]) => [name.toLowerCase(), parseColour(digits)]));

/** Machado, Oliveira and Fernandes 2009: complete protanopia, deuteranopia, tritanopia. */
const VISION = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]],
};

const linear = (value) =>
  (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);

/** CIE Lab of a colour as it is seen. */
function seen(colour, matrix) {
  const [r, g, b] = matrix.map((row) => {
    const sum = row.reduce((all, part, i) => all + part * linear(colour[i]), 0);
    return Math.min(1, Math.max(0, sum));
  });
  const root = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

/** Classes that fill large parts of RAM. A difference of 2 is just visible. */
const LARGE = ['anon', 'shmem', 'file', 'slab', 'pgtable', 'zsmalloc', 'free', 'hugetlb'];
const LEAST = 15;

for (const [vision, matrix] of Object.entries(VISION))
  test(`large classes have different colours in ${vision} vision`, () => {
    for (const a of LARGE)
      for (const b of LARGE) {
        if (a >= b) continue;
        const apart = distance(seen(colours.get(a), matrix), seen(colours.get(b), matrix));
        assert.ok(apart >= LEAST, `${a} and ${b}: ${apart.toFixed(1)}`);
      }
  });

test('no two classes have the same colour', () => {
  assert.equal(colours.size, 29);
  assert.equal(new Set([...colours.values()].map(String)).size, 29);
});

test('text on each colour has a contrast of 4.5', () => {
  for (const [name, colour] of colours) {
    const text = textOn(colour) === '#000' ? 0 : 1;
    const [low, high] = [luminance(colour), text].sort((a, b) => a - b);
    assert.ok((high + 0.05) / (low + 0.05) >= 4.5, name);
  }
});
