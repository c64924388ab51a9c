// SPDX-License-Identifier: MIT
// The model of the whole of RAM: runs, owners, colours, pageblocks.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './load.mjs';

const { FrameSpans } = await load('snapshot/spans.ts');
const { RamIndex } = await load('snapshot/ram.ts');
const { spansOf } = await load('snapshot/focus.ts');
const { PageBlocks } = await load('snapshot/page_blocks.ts');
const { FLAG_WORDS } = await load('snapshot/frame_flags.ts');
const { frameFacts } = await load('snapshot/frame_facts.ts');
const { colourFrames } = await load('snapshot/colouring.ts');
const { shortName } = await load('format.ts');
const { usageTree } = await load('snapshot/usage_tree.ts');
const { framesOfClass } = await load('snapshot/class_owners.ts');
const { RowOrder } = await load('snapshot/row_order.ts');
const { csvOf } = await load('snapshot/save.ts');
const { contrast } = await load('grid/colours.ts');
const { CLASS, Colours, MUTED, largest, rankOwners } = await load('snapshot/categories.ts');

const CLASSES = ['hole', 'free', 'slab', 'anon', 'file', 'hugetlb', 'unmarked'];
const [HOLE, FREE, SLAB, ANON, FILE, HUGETLB, UNMARKED] = CLASSES.keys();
const MOVABILITY = ['absent', 'free', 'unmovable', 'movable', 'movable', 'unmovable', 'unknown'];
const classes = CLASSES.map(
  (word, i) => ({ word, title: word, meaning: '', colour: '', movability: MOVABILITY[i] })
);
const NOT_DESCRIBED = 31;

/** Runs as [class, pages, owner, place, flags, payer, count]. */
function ramOf(runs) {
  const column = (i, from = (value) => value) => Uint32Array.from(runs, (run) => from(run[i] ?? 0));
  return {
    facts: {
      runs: runs.length, frames: 0, classes, class_order: [...CLASSES.keys()], explained: [],
      block_order: 9,
      zones: [
        { node: 1, name: 'Normal', first: '2', spanned: 1000, tier: 4 },
        { node: 2, name: 'Normal', first: '9', spanned: 8, tier: 22 },
      ],
      zone_spans: [
        { zone: 0, first: '2', frames: 7 }, { zone: 1, first: '9', frames: 8 },
        { zone: 0, first: '11', frames: 985 },
      ],
      owners: [
        {
          kind: 'file', count: 2, names: '/a\n/b', links: [1, 0], bytes: [40960, 5000],
          inodes: '7\n8', file_systems: { words: ['ext4'], of: [0, 0] },
          devices: { words: ['8:1'], of: [0, 0] },
        },
        { kind: 'slab', count: 1, names: 'dentry', object_bytes: [192], objects: [21] },
        { kind: 'cgroup', count: 1, names: '/x', numbers: [5], dying: [1] },
        { kind: 'task', count: 1, names: 'sh', numbers: [371] },
        { kind: 'code', count: 1, names: 'alloc+0x1 <- init+0x2 <- start+0x3' },
      ],
    },
    pages: column(1),
    use: Uint32Array.from(runs, ([use, , , , flags = 0]) => ((use << 27) | flags) >>> 0),
    owner: column(2),
    place: column(3),
    payer: Uint32Array.from(runs, (run) => (run[5] ?? 0) | ((run[6] ?? 0) << 16)),
  };
}

const RUNS = [
  [HOLE, 2], [SLAB, 3, 3], [FILE, 4, 1, 2, 0x10, 1, 1], [FILE, 2, 2], [FREE, 8, 0, 3],
  [ANON, 1, 0, 0, 0, 1, 70000 & 0xffff], [NOT_DESCRIBED, 4],
];

test('a frame is found in its run', () => {
  const ram = new RamIndex(ramOf(RUNS));
  assert.deepEqual([0, 1, 2, 4, 5, 8, 9, 23].map((f) => ram.runAt(f)), [0, 0, 1, 1, 2, 2, 3, 6]);
  assert.equal(ram.runAt(24), -1);
  assert.equal(ram.classes.name(ram.classOf(6)), 'not described');
});

test('owners have their names, frames, and what is mapped or dirty', () => {
  const ram = new RamIndex(ramOf(RUNS));
  assert.deepEqual([1, 2, 3, 5].map((owner) => ram.owners.title(owner)),
    ['/a', '/b (deleted)', 'dentry', 'sh 371']);
  assert.deepEqual([...ram.ofOwner.frames].slice(1), [4, 2, 3, 0, 0, 0]);
  assert.equal(ram.ofOwner.mapped[1], 4);
  assert.equal(ram.ofOwner.dirty[1], 4);
  assert.equal(ram.payerTitle(1), '/x (dying)');
  assert.equal(ram.ofPayer.frames[1], 5);
});

test('a frame of a file has its place, the last byte of the file counted', () => {
  const ram = new RamIndex(ramOf(RUNS));
  const facts = Object.fromEntries(frameFacts(ram, 7, 4096).map((fact) => [fact.name, fact]));
  assert.equal(facts.Class.text, 'file');
  assert.equal(facts.Place.text, 'page 4 of 10');
  assert.match(facts.Place.detail, /^byte 16\u2009384 of 40\u2009960$/);
  assert.equal(facts.Flags.text, 'dirty');
  assert.equal(facts.Mapped.text, '1\u2009×');
  assert.equal(facts.Zone.text, 'node 1 Normal');
  assert.equal(facts['Memory tier'].text, '4');
  assert.equal(facts['Paid by'].text, '/x (dying)');
});

test('a free block has its order, and an unknown order is said', () => {
  const ram = new RamIndex(ramOf([[FREE, 8, 0, 3], [FREE, 8, 0, 0x3f]]));
  const block = (frame) => frameFacts(ram, frame, 4096).find(({ name }) => name === 'Free block');
  assert.equal(block(0).text, 'order 3: 8 frames');
  assert.equal(block(8).text, 'order not recorded');
});

test('a stack has its first function, and its callers below', () => {
  const ram = new RamIndex(ramOf([[SLAB, 8, 6]]));
  const fact = frameFacts(ram, 0, 4096).find(({ name }) => name === 'Allocated by');
  assert.deepEqual([fact.text, fact.detail], ['alloc+0x1', 'called by init+0x2, by start+0x3']);
  assert.equal(shortName(ram.owners.title(6)), 'alloc+0x1 …');
  assert.equal(shortName('/usr/lib/libc.so.6'), 'libc.so.6');
});

test('ranges of frames join, and are cut to a block', () => {
  const spans = new FrameSpans();
  for (const [first, end] of [[2, 5], [5, 7], [6, 9], [20, 30]]) spans.add(first, end);
  assert.deepEqual([spans.first, spans.end, spans.frames], [[2, 20], [9, 30], 17]);
  const found = [];
  spans.within(8, 22, (first, end) => found.push([first, end]));
  assert.deepEqual(found, [[8, 9], [20, 22]]);
  assert.deepEqual([1, 2, 8, 9, 29, 30].map((frame) => spans.has(frame)),
    [false, true, true, false, true, false]);
});

test('the largest are found in order, and those without frames left out', () => {
  assert.deepEqual(largest([3, 0, 9, 9, 1], 3), [2, 3, 0]);
  assert.deepEqual(largest([0, 0], 3), []);
});

test('an owner keeps its colour in the next snapshot of a series', () => {
  const kept = new Map();
  const codes = (counts, names) => {
    const { list } = rankOwners(counts, (owner) => names[owner], kept);
    return Object.fromEntries(list.map(({ name, code }) => [name, code]));
  };
  const first = codes([5, 3], ['a', 'b']);
  const second = codes([9, 1, 4], ['c', 'a', 'b']);
  assert.equal(second.a, first.a);
  assert.equal(second.b, first.b);
  assert.equal(new Set(Object.values(second)).size, 3);
});

test('an owner has the same colour on another page, if no larger one has it', () => {
  const codeOn = (counts, names, name) => {
    const { list } = rankOwners(counts, (owner) => names[owner], new Map());
    return list.find((category) => category.name === name).code;
  };
  const alone = codeOn([5], ['postgres'], 'postgres');
  assert.equal(codeOn([9, 7], ['postgres', 'bash'], 'postgres'), alone);
  assert.equal(codeOn([5], ['bash 4711'], 'bash 4711'), codeOn([7], ['bash 12'], 'bash 12'));
});

test('a list as CSV has sizes in bytes, quoted names, and nothing for what is unknown', () => {
  const list = {
    columns: [
      { title: 'File', kind: 'text', value: (row) => ['a,b', 'say "c"'][row] },
      { title: 'Processes', kind: 'number', value: () => 1234, text: () => '1\u2009234' },
      { title: 'Cached', kind: 'number', value: () => 0.5, text: () => '50 %' },
      { title: 'Unique', kind: 'pages', value: (row) => [3, -1][row] },
    ],
  };
  assert.equal(csvOf(list, [1, 0], 4096),
    'File,Processes,Cached,Unique bytes\r\n' +
    '"say ""c""",1234,50 %,\r\n"a,b",1234,50 %,12288\r\n');
});

const none = new Uint32Array(0);
const UNMAPPED_SNAPSHOT = {
  facts: { processes: [], units: [], regions: [], areas: [], ram_pages: 22 },
  area: none, virtualPage: none, frame: none, pages: none, mappings: none,
};

test('where zones overlap, frames count for the zone and tier that the message has', () => {
  const ram = new RamIndex(ramOf(RUNS));
  assert.deepEqual([1, 2, 8, 9, 16, 17].map((frame) => ram.zoneOf(frame)), [-1, 0, 0, 1, 1, 0]);
  assert.deepEqual(ram.tiers, [4, 22]);
  const framesOf = (scheme, index) => {
    const spans = spansOf(UNMAPPED_SNAPSHOT, ram, { scheme, index });
    return [spans.first, spans.end];
  };
  assert.deepEqual(framesOf('zone', 0), [[2, 17], [9, 20]]);
  assert.deepEqual(framesOf('tier', 1), [[9], [17]]);
  assert.deepEqual(framesOf('zone', 1), [[9], [17]]);
});

for (const scheme of ['class', 'file', 'slab', 'owner', 'payer', 'zone', 'tier', 'process'])
  test(`colours by ${scheme} count each frame of RAM once`, () => {
    const ram = new RamIndex(ramOf(RUNS));
    const arrays = { codes: new Uint8Array(24), owners: new Uint32Array(24), kept: new Map() };
    const { list } = colourFrames(UNMAPPED_SNAPSHOT, ram, scheme, arrays);
    assert.equal(list.reduce((sum, { frames }) => sum + frames, 0), 18, 'not described: no RAM');
  });

test('pageblocks have their largest class, free and unmovable frames', () => {
  const runs = [
    [SLAB, 100, 3], [FREE, 412], [ANON, 490], [UNMARKED, 10], [HUGETLB, 12], [HOLE, 100],
    [FREE, 10],
  ];
  const blocks = new PageBlocks(new RamIndex(ramOf(runs)));
  assert.equal(blocks.count, 3);
  const nothing = { free: 0, unmovable: 0, unknown: 0, hugetlb: 0, largest: -1 };
  assert.deepEqual(blocks.use(0, 1),
    { ...nothing, ram: 512, free: 412, unmovable: 100, largest: SLAB });
  assert.deepEqual(blocks.use(1, 2),
    { ...nothing, ram: 512, unknown: 10, hugetlb: 12, largest: ANON });
  assert.deepEqual(blocks.use(2, 3), { ...nothing, ram: 10, free: 10 });
  assert.equal(blocks.use(0, 3).largest, ANON);
});

test('pageblocks have the size that the message has', () => {
  const ram = ramOf([[SLAB, 40, 3], [FREE, 24]]);
  ram.facts.block_order = 5;
  const blocks = new PageBlocks(new RamIndex(ram));
  assert.deepEqual([blocks.frames, blocks.count, blocks.use(1, 2).unmovable], [32, 2, 8]);
});

const listOf = (names, frames) => ({
  rows: names.length,
  columns: [
    { title: 'Name', kind: 'text', value: (row) => names[row] },
    { title: 'Kind', kind: 'text', value: () => 'file' },
    { title: 'Frames', kind: 'pages', value: (row) => frames[row] },
  ],
});

test('a search finds exact names first, then those with most frames', () => {
  const names = ['known-files', '/x/known', '/run/known', 'Known', 'memfd:known (deleted)',
    '/y/known (deleted)', 'other'];
  const order = new RowOrder(listOf(names, [2358, 1, 300, 7, 400, 2, 9]), 2, true, () => true);
  assert.deepEqual([...order.rows('known')].map((row) => names[row]),
    ['/run/known', 'Known', '/y/known (deleted)', '/x/known', 'known-files',
      'memfd:known (deleted)']);
  assert.deepEqual([...order.rows('/x/known')], [1]);
  assert.equal(order.rows('').length, names.length);
});

test('owners and processes of a class are those with frames of it', () => {
  const ram = new RamIndex(ramOf(RUNS));
  const column = (...values) => Uint32Array.from(values);
  const snapshot = {
    facts: { areas: [{ process: 0 }, { process: 1 }] },
    area: column(0, 1), frame: column(18, 5), pages: column(2, 4),
  };
  const having = (number, scheme) => {
    const hasFrames = framesOfClass(snapshot, ram, number);
    return [0, 1, 2, 3].filter((index) => hasFrames({ scheme, index }));
  };
  assert.deepEqual(having(FILE, 'owner'), [1, 2]);
  assert.deepEqual(having(SLAB, 'owner'), [3]);
  assert.deepEqual([having(ANON, 'process'), having(FILE, 'process')], [[0], [1]]);
  const order = new RowOrder(listOf(['a', 'b', 'c'], [1, 2, 3]), 2, true, (row) => row !== 1);
  assert.deepEqual([...order.rows('')], [2, 0]);
});

for (const dark of [false, true])
  test(`highlighted frames are distinct from the background, ${dark ? 'dark' : 'light'}`, () => {
    const colours = new Colours(['EEF0F3', '3D4A5C', '101820', 'FFFFFF', '0B5345']);
    const background = dark ? [21, 24, 29] : [246, 247, 249];
    for (const base of [CLASS, MUTED])
      for (let number = 0; number < 5; number++)
        assert.ok(contrast(colours.focused(base + number, dark), background) >= 3, `${number}`);
    assert.deepEqual(colours.focused(MUTED + 4, false), colours.of(CLASS + 4, false));
  });

test('words of flags are for the bits of the format', () => {
  const flags = readFileSync(`${process.env.PHYSMEM_SOURCE}/formats/emit/flags.h`, 'utf8');
  for (const [bit, name] of FLAG_WORDS)
    assert.match(flags, new RegExp(`PM_PAGE_${name} \\(1u << ${bit}\\)`), name);
});

/** Frame 9, the only anonymous one of RUNS after it, and frame 6 of /a are mapped by a process. */
const snapshotOf = (runs) => ({
  facts: {
    frames_end: '18', processes: [{ comm: 'cat', tgid: 7 }], units: ['/a', '[heap]'],
    regions: ['heap', 'mapped file'],
    areas: [{ process: 0, unit: 0, region: 1 }, { process: 0, unit: 1, region: 0 }],
  },
  area: [0, 1], frame: [6, 19], pages: [1, 1], mappings: [1, 1], ram: ramOf(runs),
});

test('the tree of RAM has processes, and what no process maps by class and owner', () => {
  const snapshot = snapshotOf(RUNS);
  const tree = usageTree(snapshot, new RamIndex(snapshot.ram));
  assert.equal(tree.name, 'RAM in use');
  assert.deepEqual(tree.children.map(({ name, pages }) => [name, pages]), [
    ['file', 5], ['slab', 3], ['cat 7', 2],
  ]);
  assert.equal(tree.pages, 10, 'frames of RAM without the free ones');
  const [file, slab] = tree.children;
  assert.deepEqual(file.children.map(({ name, pages }) => [name, pages]), [
    ['/a', 3], ['/b (deleted)', 2],
  ]);
  const spans = spansOf(snapshot, new RamIndex(snapshot.ram), file.children[0].focus);
  assert.equal(spans.frames, 3, 'the frames of the box are highlighted');
  assert.deepEqual(slab.children.map(({ name }) => name), ['dentry']);
});

test('the tree of RAM has unmarked frames by the totals of the kernel, without free ones', () => {
  const snapshot = snapshotOf([[HOLE, 6], [FILE, 1, 1], [UNMARKED, 12], [ANON, 1]]);
  snapshot.ram.facts.explained = [
    { what: 'free, on CPU lists', pages: 5, is_free: true },
    { what: 'vmalloc', pages: 3, is_free: false },
  ];
  const tree = usageTree(snapshot, new RamIndex(snapshot.ram));
  const unmarked = tree.children.find(({ name }) => name === 'unmarked');
  assert.equal(unmarked.pages, 7);
  assert.deepEqual(unmarked.children.map(({ name, pages }) => [name, pages]), [
    ['without a known owner', 4], ['vmalloc', 3],
  ]);
});

test('a set of frames without another', () => {
  const all = new FrameSpans();
  all.add(0, 10);
  all.add(20, 30);
  const some = new FrameSpans();
  some.add(2, 4);
  some.add(8, 22);
  const rest = all.without(some);
  assert.deepEqual([rest.first, rest.end, rest.frames], [[0, 4, 22], [2, 8, 30], 14]);
});
