// SPDX-License-Identifier: MIT
// The bounded lines of the log. The oldest lines are dropped first, and the view gets their number.

import type { LogMessage, PagingEvent } from '../protocol/messages.ts';

/** A line, or the number of lines that were not logged at this place. */
export type LogLine = PagingEvent | { more: number };

export const MAX_LINES = 5000;
/** Maximum number while the user reads older lines; about 20 MB. */
export const MAX_READ = 50_000;

export class LogLines {
  readonly lines: LogLine[] = [];
  /** Lines that the server has not sent since the log was restarted. */
  notLogged = 0;
  /** The user reads older lines, so the larger limit applies. */
  reading = false;
  /** The server has no lines before the first one. */
  complete = false;
  private requested: number | null = null;

  clear(): void {
    this.lines.length = 0;
    this.notLogged = 0;
    this.complete = false;
    this.requested = null;
  }

  /** Number of lines dropped at the top; negative: lines added there. */
  apply(message: LogMessage): number {
    if (message.before !== undefined) return -this.prepend(message, message.before);
    if (message.reset) this.clear();
    if (message.more > 0) {
      const last = this.lines.at(-1);
      this.notLogged += message.more;
      if (last && 'more' in last) last.more += message.more;
      else this.lines.push({ more: message.more });
    }
    this.lines.push(...message.lines);
    const dropped = Math.max(0, this.lines.length - (this.reading ? MAX_READ : MAX_LINES));
    if (dropped > 0) this.complete = false;
    this.lines.splice(0, dropped);
    return dropped;
  }

  /** The first line if earlier lines should be requested, at most once per line. */
  requestBefore(): PagingEvent | null {
    const first = this.first();
    if (this.complete || !first || first.seq === this.requested || this.lines.length >= MAX_READ)
      return null;
    this.requested = first.seq;
    return first;
  }

  private first(): PagingEvent | undefined {
    return this.lines.find((line): line is PagingEvent => !('more' in line));
  }

  /** An answer to a request from before the log was restarted is ignored. */
  private prepend(message: LogMessage, before: number): number {
    if (this.first()?.seq !== before) return 0;
    // These include the lines that were not logged before the first line.
    const gap = this.lines[0] !== undefined && 'more' in this.lines[0] ? 1 : 0;
    this.lines.splice(0, gap, ...message.lines);
    this.complete = message.first === true;
    return message.lines.length - gap;
  }
}
