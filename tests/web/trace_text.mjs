// SPDX-License-Identifier: MIT
// Writes the events of a mock machine as a trace for the real server (formats/trace-records.md).

const digits = (number) => number.toString(16).toUpperCase().padStart(8, '0');

/** Runs the machine for ms milliseconds. Returns the trace and the events in it. */
export function traceOf(machine, {
  ms = 10_000, eventsEach100 = 20, wallMs = Date.UTC(2026, 10, 21, 14, 3, 20), lost = 17,
} = {}) {
  const bootNs = 8_000_000_000n;
  const line = (letter, ...fields) => `${letter}: ${fields.join(', ')}\n`;
  const lines = [
    line('H', 1, 'trace=paging', 'arch=x86_64', 'page_size=4096', 'kernel=6.1.0', 'source=kmod',
      `memory_bytes=${machine.frames * 4096}`, `frames_end=${machine.frames}`,
      `wall_offset_ns=${BigInt(wallMs) * 1_000_000n - bootNs}`),
    line('A', 0, 'partition', machine.slotCount, '/dev/vda'),
  ];
  const events = [];
  for (let t = 0; t < ms; t += 100) {
    const from = machine.log.length;
    machine.run(t, eventsEach100);
    events.push(...machine.log.slice(from));
  }
  for (const event of events) {
    const isIn = event.kind === 'in';
    const [frame, slot, sector] =
      [event.frame, event.slot, event.sector].map((text) => digits(parseInt(text, 16)));
    lines.push(line(isIn ? 'I' : 'O', event.seq, String(bootNs + BigInt(event.t) * 1_000_000n),
      0, event.pid, event.tgid, event.comm, event.address.padStart(8, '0'), frame, `0:${slot}`,
      sector, event.flags.join(' '), isIn ? event.service_us * 1000 : '-'));
  }
  if (lost > 0) lines.push(line('L', String(bootNs + BigInt(ms) * 1_000_000n), 1, lost));
  lines.push(line('E', machine.sums.ins, machine.sums.outs, lost));
  return { text: lines.join(''), events };
}
