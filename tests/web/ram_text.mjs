// SPDX-License-Identifier: MIT
// The records of the whole of RAM in a snapshot's text, read independently of the program.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = join(dirname(process.env.PAGE_SNAPSHOT), '..');
const table = readFileSync(join(source, 'analyzer/model/frame_classes.h'), 'utf8');
const titles = new Map([...table.matchAll(/\{PM_RAM_(\w+), "([^"]+)"/g)]
  .map(([, name, title]) => [name.toLowerCase(), title]));

/** What people read for a class's word in R: lines. */
export const classTitle = (word) => titles.get(word);

export function textOf(path) {
  return execFileSync('zstd', ['-dcq', path], { maxBuffer: 1 << 28, encoding: 'utf8' });
}

const fieldsOf = (line) => line.slice(3).split(', ');

/** Runs, owners by id, and zones. */
export function ramOf(text) {
  const lines = text.split('\n');
  const owners = new Map();
  for (const line of lines.filter((one) => one.startsWith('O: '))) {
    const [id, kind, ...rest] = fieldsOf(line);
    owners.set(id, { id, kind, rest, name: rest.at(-1) });
  }
  const runs = lines.filter((line) => line.startsWith('R: ')).map((line) => {
    const [first, pages, use, owner, payer, flags, count, place] = fieldsOf(line);
    return {
      first: parseInt(first, 16), pages: Number(pages), use, owner, payer,
      flags: parseInt(flags, 16), count: Number(count), place: parseInt(place, 16),
    };
  });
  return { runs, owners };
}

const NOT_RAM = ['hole', 'offline'];
export const isRam = (run) => !NOT_RAM.includes(run.use);

export const framesOf = (runs) => runs.reduce((sum, run) => sum + run.pages, 0);

/** Frames by a key of their runs. */
export function sums(runs, keyOf) {
  const found = new Map();
  for (const run of runs) found.set(keyOf(run), (found.get(keyOf(run)) ?? 0) + run.pages);
  return found;
}
