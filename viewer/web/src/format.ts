// SPDX-License-Identifier: MIT
// Formats numbers and times.

const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

/** Thin spaces separate thousands: digits stay aligned, and all locales read them correctly. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
}

/** 0 to 1 in percent; 100 % only for exactly 1, and 0 % only for exactly 0. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 0.1) return '<\u20090.1\u2009%';
  if (part < whole && percent > 99.9) return '>\u200999.9\u2009%';
  return `${percent.toFixed(1)}\u2009%`;
}

export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  for (; value >= 1024 && i < units.length - 1; i++) value /= 1024;
  return `${value >= 100 || i === 0 ? Math.round(value) : value.toFixed(1)}\u2009${units[i]}`;
}

/** The size of a number of pages, always in MiB so that sizes in a column are comparable. */
export function mib(pages: number, pageSize: number): string {
  const value = (pages * pageSize) / 2 ** 20;
  if (value > 0 && value < 0.05) return '<\u20090.1\u2009MiB';
  return `${value < 100 ? value.toFixed(1) : count(value)}\u2009MiB`;
}

export function micros(us: number | null | undefined): string {
  if (us === null || us === undefined) return '–';
  if (us < 1000) return `${Math.round(us)}\u2009µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e4 ? 2 : 1)}\u2009ms`;
  return `${(us / 1e6).toFixed(2)}\u2009s`;
}

export function rate(value: number): string {
  return value > 0 && value < 10 ? value.toFixed(1) : count(value);
}

/** Uses the time zone of the traced machine if known, otherwise that of the browser. */
function clock(wallMs: number, offsetMin: number | undefined): Date {
  return new Date(wallMs + (offsetMin ?? -new Date(wallMs).getTimezoneOffset()) * 60_000);
}

/** h:m:s.ms, as the daemon prints it (B6). */
export function timeOfDay(wallMs: number, offsetMin?: number): string {
  return clock(wallMs, offsetMin).toISOString().slice(11, 23);
}

export function date(wallMs: number, offsetMin?: number): string {
  return clock(wallMs, offsetMin).toISOString().slice(0, 10);
}

/** Time since the beginning of the trace: 8.101 s, 2:08.1, 1:02:08. */
export function elapsed(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)}\u2009s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60, 2)}:${pad(Math.floor(seconds % 60), 2)}`;
}

/** At least eight digits, as in records. */
export function hex(value: number | string | undefined, digits = 8): string {
  if (value === undefined) return '–';
  const text = typeof value === 'number' ? value.toString(16) : value;
  return text.toUpperCase().padStart(digits, '0');
}

/** Parses a typed frame number: hexadecimal, with or without 0x, or decimal after a #. */
export function parseFrame(text: string): number | null {
  const trimmed = text.trim();
  const decimal = /^#(\d+)$/.exec(trimmed);
  if (decimal) return Number(decimal[1]);
  const found = /^(?:0x)?([0-9a-f]{1,13})$/i.exec(trimmed);
  return found ? parseInt(found[1] ?? '', 16) : null;
}

/** Between the functions of a stack, the innermost first. */
export const CALLED_BY = ' <- ';

/** Where room is short: the last part of a path, the first function of a stack. */
export function shortName(name: string): string {
  if (name.startsWith('/')) return name.slice(name.lastIndexOf('/') + 1) || name;
  const end = name.indexOf(CALLED_BY);
  return end < 0 ? name : `${name.slice(0, end)} …`;
}
