// SPDX-License-Identifier: MIT
// The status bar: connection, time, sums and losses.

import { el, setAttribute, setText } from '../dom.ts';
import { count, date, elapsed, mib, timeOfDay } from '../format.ts';
import type { Session } from '../model/session.ts';

const LINKS = { connecting: 'connecting …', open: 'connected', lost: 'connection lost' } as const;

export class StatusBar {
  readonly element: HTMLElement;
  private readonly link = el('span', { class: 'link-state' });
  private readonly time = el('span', { class: 'status-time' });
  private readonly trouble = el('span', { class: 'trouble bad' });
  private readonly sums = el('span', {});
  private readonly lost =
    el('span', { class: 'lost loss', title: 'events that the tracer or the network lost' });
  private readonly leftOut =
    el('span', { class: 'lost loss', title: 'events of pages for which the server had no room' });
  private readonly clients = el('span', { class: 'optional' });

  constructor(private readonly session: Session) {
    this.element = el(
      'footer', { class: 'statusbar', id: 'statusbar', 'aria-label': 'Status' }, this.link,
      this.time, this.trouble, this.sums, el('span', { class: 'spring' }), this.lost,
      this.leftOut, this.clients
    );
    session.onState.on(() => this.update());
    session.onHello.on(() => this.update());
    session.onLinkChange.on(() => this.update());
    session.onCursor.on(() => this.update());
    this.update();
  }

  private update(): void {
    const { session } = this;
    const { state, hello } = session;
    setText(this.link, LINKS[session.link]);
    this.link.dataset.link = session.link;
    const wall = session.wall(state.t);
    const offset = hello?.utc_offset_min;
    const ended = state.ended && !session.playing && !state.trouble ? ' · trace ended' : '';
    const day = `${date(wall, offset)} ${timeOfDay(wall, offset)}`;
    setText(this.time, hello ? `${day} · ${elapsed(state.t)}${ended}` : '');
    this.trouble.hidden = !state.trouble;
    setText(this.trouble, state.trouble ?? '');
    setAttribute(this.trouble, 'title', state.trouble ?? '');
    const pages = (sum: number) => `${count(sum)} (${mib(sum, session.pageSize)})`;
    const sums =
      [`${pages(state.ins)} in`, `${pages(state.outs)} out`, `${count(state.major)} major`];
    setText(this.sums, sums.join(' · '));
    setText(this.lost, `${count(state.lost)} lost`);
    this.lost.classList.toggle('bad', state.lost > 0);
    this.leftOut.hidden = (state.left_out ?? 0) === 0;
    setText(this.leftOut, `${count(state.left_out ?? 0)} left out`);
    this.leftOut.classList.add('bad');
    setText(this.clients, state.clients === 1 ? '1 reader' : `${count(state.clients)} readers`);
  }
}
