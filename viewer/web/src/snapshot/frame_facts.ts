// SPDX-License-Identifier: MIT
// What the records of the whole of RAM say of one frame.

import { CALLED_BY, bytes, count } from '../format.ts';
import type { Focus } from './focus.ts';
import { flagWords } from './frame_flags.ts';
import type { OwnerPlace, RamIndex } from './ram.ts';

export interface Fact {
  name: string;
  text: string;
  /** Shown below the text. */
  detail?: string;
  /** The text is a button that highlights these frames. */
  focus?: Focus;
}

const ORDER_UNKNOWN = 0x3f;
const COUNT_MAX = 0xffff;
const TITLES = {
  file: 'File', slab: 'Slab cache', cgroup: 'Cgroup', task: 'Task', code: 'Allocated by',
  other: 'Owner',
};

export function frameFacts(ram: RamIndex, frame: number, pageSize: number): Fact[] {
  const run = ram.runAt(frame);
  if (run < 0) return [{ name: 'Class', text: 'no RAM: after the last frame' }];
  const number = ram.classOf(run);
  const facts: Fact[] = [{
    name: 'Class', text: ram.classes.name(number), detail: ram.classes.meaning(number),
    focus: { scheme: 'class', index: number },
  }];
  facts.push(...ownerFacts(ram, run, frame, pageSize));
  const zone = ram.zoneOf(frame);
  if (zone >= 0)
    facts.push({
      name: 'Zone', text: ram.zoneName(zone), focus: { scheme: 'zone', index: zone },
    });
  const tier = ram.tierOf(zone);
  if (tier >= 0)
    facts.push({
      name: 'Memory tier', text: String(ram.tiers[tier]), focus: { scheme: 'tier', index: tier },
    });
  if (!ram.classes.isRam(number)) return facts;
  if (!ram.classes.isFree(number)) {
    facts.push(...payerFact(ram, run), { name: 'Flags', text: flagWords(ram.flagsOf(run)) });
    const mapped = ram.countOf(run);
    const text = mapped === COUNT_MAX ? `${count(mapped)} or more` : count(mapped);
    facts.push({ name: 'Mapped', text: mapped === 0 ? 'by no process' : `${text}\u2009×` });
  }
  return facts;
}

function payerFact(ram: RamIndex, run: number): Fact[] {
  const payer = ram.payerOf(run);
  if (payer === 0) return [];
  return [{
    name: 'Paid by', text: ram.payerTitle(payer), focus: { scheme: 'payer', index: payer },
  }];
}

function ownerFacts(ram: RamIndex, run: number, frame: number, pageSize: number): Fact[] {
  const number = ram.classOf(run);
  if (ram.classes.is(number, 'free')) return [freeFact(ram.ram.place[run]!, pageSize)];
  const owner = ram.ram.owner[run]!;
  const place = ram.owners.find(owner);
  if (!place || owner === 0) return [];
  const { kind } = place.group;
  const fact: Fact = {
    name: TITLES[kind], text: ram.owners.title(owner), focus: { scheme: 'owner', index: owner },
  };
  if (kind === 'file')
    return [fileFact(ram, fact, place), placeFact(ram, run, frame, place, pageSize)];
  if (kind === 'slab') fact.detail = slabWords(place);
  return [kind === 'code' ? stackFact(fact) : fact];
}

/** A stack has the function that allocated the frame, and those that called it. */
function stackFact(fact: Fact): Fact {
  const [first, ...callers] = fact.text.split(CALLED_BY);
  if (callers.length === 0) return fact;
  return { ...fact, text: first!, detail: `called by ${callers.join(', by ')}` };
}

function freeFact(order: number, pageSize: number): Fact {
  if (order >= ORDER_UNKNOWN) return { name: 'Free block', text: 'order not recorded' };
  return {
    name: 'Free block', text: `order ${order}: ${count(2 ** order)} frames`,
    detail: bytes(2 ** order * pageSize),
  };
}

function fileFact(ram: RamIndex, fact: Fact, { group, index }: OwnerPlace): Fact {
  const word = (words: { words: string[]; of: number[] } | undefined) =>
    words?.words[words.of[index] ?? 0] ?? '';
  const inode = ram.owners.inode({ group, index });
  const parts = [word(group.file_systems), `device ${word(group.devices)}`, `inode ${inode}`];
  const links = group.links?.[index] ?? 1;
  const state = links === 0 ? 'deleted, or it never had a name' : '';
  return { ...fact, detail: [...parts, state].filter(Boolean).join(' · ') };
}

function placeFact(
  ram: RamIndex, run: number, frame: number, { group, index }: OwnerPlace, pageSize: number
): Fact {
  const page = ram.ram.place[run]! + frame - ram.first[run]!;
  const size = group.bytes?.[index] ?? 0;
  const pages = Math.ceil(size / pageSize);
  const whole = pages > page ? ` of ${count(pages)}` : '';
  return {
    name: 'Place', text: `page ${count(page)}${whole}`,
    detail: `byte ${count(page * pageSize)} of ${count(size)}`,
  };
}

function slabWords({ group, index }: OwnerPlace): string {
  const size = group.object_bytes?.[index] ?? 0;
  const objects = group.objects?.[index] ?? 0;
  return `objects of ${bytes(size)}, ${count(objects)} per slab`;
}
