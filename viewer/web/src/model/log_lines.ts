// SPDX-License-Identifier: MIT
// The lines of the log, bounded: the oldest go first, and the view is told how many went.

import type { LogMessage, PagingEvent } from '../protocol/messages.ts';

/** A line, or how many were not logged at this place. */
export type LogLine = PagingEvent | { more: number };

export const MOST_LINES = 5000;
/** While the reader looks at older ones; about 20 MB. */
export const MOST_READ = 50_000;

export class LogLines {
  readonly lines: LogLine[] = [];
  /** Not sent by the server since the log began anew. */
  notLogged = 0;
  /** The reader looks at older lines: as many as that are kept. */
  reading = false;
  /** The server keeps none before the first. */
  complete = false;
  private asked: number | null = null;

  clear(): void {
    this.lines.length = 0;
    this.notLogged = 0;
    this.complete = false;
    this.asked = null;
  }

  /** How many lines fell off at the top; below 0: so many came there. */
  apply(message: LogMessage): number {
    if (message.before !== undefined) return -this.prepend(message, message.before);
    if (message.anew) this.clear();
    if (message.more > 0) {
      const last = this.lines.at(-1);
      this.notLogged += message.more;
      if (last && 'more' in last) last.more += message.more;
      else this.lines.push({ more: message.more });
    }
    this.lines.push(...message.lines);
    const dropped = Math.max(0, this.lines.length - (this.reading ? MOST_READ : MOST_LINES));
    if (dropped > 0) this.complete = false;
    this.lines.splice(0, dropped);
    return dropped;
  }

  /** The first line, if the server is to be asked for those before it: once for each line. */
  askBefore(): PagingEvent | null {
    const first = this.first();
    if (this.complete || !first || first.seq === this.asked || this.lines.length >= MOST_READ)
      return null;
    this.asked = first.seq;
    return first;
  }

  private first(): PagingEvent | undefined {
    return this.lines.find((line): line is PagingEvent => !('more' in line));
  }

  /** An answer to a question from before the log began anew belongs nowhere. */
  private prepend(message: LogMessage, before: number): number {
    if (this.first()?.seq !== before) return 0;
    // What was not logged before the first line is among these.
    const gap = this.lines[0] !== undefined && 'more' in this.lines[0] ? 1 : 0;
    this.lines.splice(0, gap, ...message.lines);
    this.complete = message.first === true;
    return message.lines.length - gap;
  }
}
