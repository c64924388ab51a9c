// SPDX-License-Identifier: MIT
// A mock machine that swaps: two processes sweep arrays that are larger than its memory. Every run
// makes the same events.

const BLOCK = 2048;
const IN = 1;
const OUT = 2;

/** Pseudo-random numbers, the same in every run. */
function* dice(seed) {
  for (let x = seed >>> 0; ; ) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    yield x / 2 ** 32;
  }
}

const hex = (number) => number.toString(16).toUpperCase();

class Cells {
  constructor(count) {
    this.kind = new Uint8Array(count);
    this.before = new Uint8Array(count);
    this.t = new Uint32Array(count);
    this.tBefore = new Uint32Array(count);
    this.changed = new Set();
  }

  touch(i, kind, t) {
    this.before[i] = this.kind[i];
    this.tBefore[i] = this.t[i];
    this.kind[i] = kind;
    this.t[i] = t;
    this.changed.add(i);
  }

  /** Message 1 or 2 of a block: all touched cells, or only those that have changed. */
  message(what, block, whole) {
    const cells = whole
      ? [...Array(BLOCK).keys()].map((i) => block * BLOCK + i)
      : [...this.changed];
    const all = whole
      ? cells.filter((i) => this.kind[i])
      : cells.filter((i) => Math.floor(i / BLOCK) === block);
    const bytes = Buffer.alloc(12 + 12 * all.length);
    bytes.set([what, 0, whole ? 1 : 0, 0]);
    bytes.writeUInt32LE(block, 4);
    bytes.writeUInt32LE(all.length, 8);
    all.forEach((i, n) => {
      const at = 12 + 12 * n;
      bytes.writeUInt16LE(i % BLOCK, at);
      bytes.writeUInt8(this.kind[i], at + 2);
      bytes.writeUInt8(this.before[i], at + 3);
      bytes.writeUInt32LE(this.t[i], at + 4);
      bytes.writeUInt32LE(this.tBefore[i], at + 8);
    });
    return bytes;
  }
}

/** Sums of blocks of 2048: message 3 or 5. */
class Blocks {
  constructor(what) {
    this.what = what;
    this.sums = new Map();
    this.touched = new Map();
    /** Recent activity, set by a test: block to [ins, outs]. */
    this.recent = new Map();
  }

  touch(i, kind) {
    const block = Math.floor(i / BLOCK);
    const sum = this.sums.get(block) ?? [0, 0];
    sum[kind - 1]++;
    this.sums.set(block, sum);
    this.touched.set(block, sum);
  }

  message(whole) {
    const blocks = [...(whole ? this.sums : this.touched)];
    const bytes = Buffer.alloc(8 + 20 * blocks.length);
    bytes.set([this.what, 0, whole ? 1 : 0, 0]);
    bytes.writeUInt32LE(blocks.length, 4);
    blocks.forEach(([block, [ins, outs]], n) => {
      const values = [block, ins, outs, ...(this.recent.get(block) ?? [0, 0])];
      values.forEach((value, k) => bytes.writeUInt32LE(value, 8 + 20 * n + 4 * k));
    });
    return bytes;
  }
}

export class Machine {
  constructor({ frames = 0x1ffe0, slots = 131071, maxLines = 4000 } = {}) {
    this.maxLines = maxLines;
    this.frames = frames;
    this.slotCount = slots;
    this.pages = new Cells(frames);
    this.slots = new Cells(slots);
    this.blocks = new Blocks(3);
    this.slotBlocks = new Blocks(5);
    this.owner = new Map();
    this.log = [];
    this.seconds = [];
    this.t = 0;
    this.seq = 0;
    this.sums = { ins: 0, outs: 0, major: 0 };
    this.random = dice(6);
    this.processes = [371, 372].map((tgid) => ({
      tgid, comm: 'pagefault2', next: 0, ins: 0, outs: 0, recent: 0, recentOut: 0, last: [],
      base: 0x7f10c2a00000 + tgid * 0x10000000,
    }));
  }

  roll(below) {
    return Math.floor(this.random.next().value * below);
  }

  /** One event of a process: a swap-in or swap-out of a frame. */
  event(kind, process, frame, slot) {
    const address = process.base + (frame % 9000) * 4096;
    const event = {
      seq: ++this.seq, t: this.t, kind: kind === IN ? 'in' : 'out',
      tgid: process.tgid, pid: process.tgid, comm: process.comm, address: hex(address),
      frame: hex(frame), area: 0, slot: hex(slot), sector: hex(slot * 8),
      flags: kind === IN ? ['io', 'major'] : ['io', 'mapped'],
      ...(kind === IN ? { service_us: 180 + this.roll(900) } : {}),
    };
    this.pages.touch(frame, kind, this.t);
    this.slots.touch(slot, kind, this.t);
    this.blocks.touch(frame, kind);
    this.slotBlocks.touch(slot, kind);
    this.owner.set(frame, event);
    this.owner.set(`slot ${slot}`, event);
    process[kind === IN ? 'ins' : 'outs']++;
    process[kind === IN ? 'recent' : 'recentOut']++;
    process.last = [event, ...process.last].slice(0, 10);
    process.event = event;
    this.sums[kind === IN ? 'ins' : 'outs']++;
    if (kind === IN) this.sums.major++;
    this.log.push(event);
    if (this.log.length > this.maxLines) this.log.splice(0, this.log.length - this.maxLines / 2);
    this.count(kind, event.service_us ?? 0);
    return event;
  }

  count(kind, us) {
    const begin = Math.floor(this.t / 1000) * 1000;
    let second = this.seconds.at(-1);
    if (second?.begin !== begin) this.seconds.push((second = { begin, ins: 0, outs: 0, us: 0 }));
    second[kind === IN ? 'ins' : 'outs']++;
    second.us += us;
  }

  /** Makes a number of events at time t. One process dominates for 6 s, then the other. */
  run(t, events) {
    this.t = t;
    for (let i = 0; i < events; i++) {
      const active = Math.floor(t / 6000) % 2;
      const process = this.processes[this.roll(10) ? active : 1 - active];
      const page = process.next++ % 9000;
      const frame = (0x800 + page + (process.tgid - 371) * 700 + this.roll(40)) % this.frames;
      const slot = (page * 2 + (process.tgid - 371) * 400 + this.roll(30)) % this.slotCount;
      this.event(this.roll(20) < 9 ? IN : OUT, process, frame, slot);
      if (this.roll(30) === 0) this.event(OUT, process, frame, slot);
    }
  }

  rates() {
    return this.seconds.map(({ begin, ins, outs, us }) =>
      [begin, ins, outs, ins, ins > 0 ? Math.round(us / ins) : null]);
  }

  settle() {
    this.pages.changed.clear();
    this.slots.changed.clear();
    this.blocks.touched.clear();
    this.slotBlocks.touched.clear();
  }
}
