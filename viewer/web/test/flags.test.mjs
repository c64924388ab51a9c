// SPDX-License-Identifier: MIT
// The page knows the flags of an event by the words that the server sends.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { FLAG_WORDS } = await load('protocol/flags.ts');

test('the flags of the page are those of the trace format, in its order', () => {
  const header = readFileSync(`${process.env.PHYSMEM_SOURCE}/formats/emit/trace.h`, 'utf8');
  const [, words] = /#define PM_TRACE_FLAG_WORDS\s[^{]*\{([^}]*)\}/.exec(header);
  assert.deepEqual(FLAG_WORDS, [...words.matchAll(/"([a-z]+)"/g)].map(([, word]) => word));
});
