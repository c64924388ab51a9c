// SPDX-License-Identifier: MIT
// A snapshot of a machine of 24 GiB as a collector writes it: 6 million frames in 1.1 million runs,
// 170,000 cached files, 200 processes. The same bytes in every run.
//
//   node large_ram.mjs FILE

import { closeSync, openSync, writeSync } from 'node:fs';

export const FRAMES = 6_291_456;
export const FILES = 170_000;
export const PROCESSES = 200;
const SLABS = 120;
const GROUPS = 60;

const HEADER = 'H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, ' +
  'time_ns=1763683200000000000, uptime_ns=86400000000000, hz=100, ram_pages=6160384, ' +
  'phys_mask=FFFFFFFFFF000, pte=none, prot=none, flags=kpf, count=mapcount, pages=all, ' +
  'pfn=shown, ram=all, ram_by=kcore\n';

/** Class, its share of the runs, longest run, flags. */
const USES = [
  ['file', 0.56, 10, '0000086C'], ['anon', 0.14, 9, '00005868'], ['free', 0.1, 16, '00000400'],
  ['slab', 0.12, 8, '00000080'], ['pgtable', 0.03, 4, '04000000'],
  ['kernel_stack', 0.02, 4, '00000000'], ['shmem', 0.02, 12, '00004868'],
  ['unmarked', 0.01, 10, '00000000'],
];

const hex = (number) => number.toString(16).toUpperCase().padStart(8, '0');

/** Numbers from 0 to below 1. */
function sequence(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

class Writer {
  constructor(path) {
    this.file = openSync(path, 'w');
    this.parts = [];
    this.size = 0;
  }

  put(text) {
    this.parts.push(text);
    this.size += text.length;
    if (this.size > 1 << 22) this.flush();
  }

  flush() {
    writeSync(this.file, this.parts.join(''));
    [this.parts, this.size] = [[], 0];
  }

  close() {
    this.flush();
    closeSync(this.file);
  }
}

export function pathOf(file) {
  const folder = `/usr/share/package-${Math.floor(file / 40)}/${['doc', 'lib', 'data'][file % 3]}`;
  return `${folder}/a-file-of-some-length-${file}.${['so.1', 'html', 'py'][file % 3]}`;
}

/** Runs with class, pages, owner's number in its kind, process, place. */
function makeRuns() {
  const random = sequence(12);
  const runs = [];
  const places = new Uint32Array(FILES);
  let file = 0;
  let unseen = 0;
  for (let frame = 0; frame < FRAMES;) {
    let pick = random();
    const use = USES.findIndex(([, weight]) => (pick -= weight) < 0);
    const [name, , longest] = USES[Math.max(use, 0)];
    const pages = Math.min(FRAMES - frame, 1 + Math.floor(random() * longest));
    const run = { frame, pages, use: Math.max(use, 0), owner: 0, process: -1, place: 0 };
    if (name === 'file') {
      if (random() < 0.5) file = unseen < FILES ? unseen++ : Math.floor(random() * FILES);
      run.owner = file;
      run.place = places[file];
      places[file] += pages;
    } else if (name === 'anon') run.process = Math.floor(random() * PROCESSES);
    else if (name === 'slab') run.owner = Math.floor(random() ** 3 * SLABS);
    runs.push(run);
    frame += pages;
  }
  return runs;
}

/** The processes with their pages. Returns the number of pages. */
function putProcesses(writer, runs) {
  const ofProcess = Array.from({ length: PROCESSES }, () => []);
  for (const run of runs) if (run.process >= 0) ofProcess[run.process].push(run);
  let sum = 0;
  ofProcess.forEach((own, i) => {
    const pages = own.reduce((all, run) => all + run.pages, 0);
    sum += pages;
    const pid = 1000 + i;
    writer.put(`T: work${i}, ${pid}, ${hex(pid)}, 0, ${pages}, 0, 0, 0, 0, 0, ${pid}, 47, 1, 0, ` +
      '0, 0, 0, 0, /user.slice\n');
    const start = 0x7f0000000000;
    const end = start + pages * 4096;
    const wide = (value) => value.toString(16).toUpperCase().padStart(12, '0');
    writer.put(`V: ${wide(start)}, ${wide(end - 1)}, ${hex(end - start)}, ${hex(end - start)}, ` +
      '00000000, 00000003, , 00000000, 00:00, 0\n' +
      `P: ${pages}, 0, 0, ${pages}, 0, 0\n`);
    let at = start;
    writer.put('M:');
    for (const run of own)
      for (let page = 0; page < run.pages; page++, at += 4096)
        writer.put(` ${wide(at)}=${hex((run.frame + page) * 4096)}, 1, 00005868 |`);
    writer.put('\n');
  });
  return sum;
}

export function writeLargeRam(path) {
  const writer = new Writer(path);
  const runs = makeRuns();
  writer.put(HEADER);
  const pages = putProcesses(writer, runs);
  writer.put('Z: 0, DMA32, 00000000, 1048576, 1048576, 1040000, 90000, 0, 1, 2, 3\n' +
    'Z: 0, Normal, 00100000, 5242880, 5242880, 5200000, 500000, 0, 1, 2, 3\n');
  const groups = Array.from({ length: GROUPS }, (_, i) => i + 1);
  for (const id of groups)
    writer.put(`O: ${id}, cgroup, ${900 + id}, online, /system.slice/service-${id}.service\n`);
  for (let i = 0; i < SLABS; i++)
    writer.put(`O: ${GROUPS + 1 + i}, slab, ${64 * (i + 1)}, 16, cache_of_kind_${i}\n`);
  putRuns(writer, runs);
  writer.put(`E: ${PROCESSES}, ${PROCESSES}, ${pages}, 0, 0\n`);
  writer.close();
  return { runs: runs.length, mapped: pages };
}

/** A file's owner comes before its first run. */
function putRuns(writer, runs) {
  const random = sequence(99);
  const ids = new Uint32Array(FILES);
  let next = GROUPS + SLABS + 1;
  for (const run of runs) {
    const [name, , , flags] = USES[run.use];
    let owner = 0;
    if (name === 'file' && (owner = ids[run.owner]) === 0) {
      owner = ids[run.owner] = next++;
      writer.put(`O: ${owner}, file, ext4, FE:01, ${1000 + run.owner}, 4194304, 1, -, ` +
        `${pathOf(run.owner)}\n`);
    }
    if (name === 'slab') owner = GROUPS + 1 + run.owner;
    const isPaid = ['file', 'anon', 'shmem'].includes(name);
    const payer = isPaid ? 1 + Math.floor(random() * GROUPS) : 0;
    const place = name === 'free' ? 0x3f : run.place;
    writer.put(`R: ${hex(run.frame)}, ${run.pages}, ${name}, ${owner}, ${payer}, ${flags}, ` +
      `${name === 'anon' ? 1 : 0}, ${hex(place)}\n`);
  }
}

if (process.argv[1]?.endsWith('large_ram.mjs')) {
  const { runs, mapped } = writeLargeRam(process.argv[2]);
  console.log(`${FRAMES} frames in ${runs} runs, ${FILES} files, ${mapped} mapped pages`);
}
