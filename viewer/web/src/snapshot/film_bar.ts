// SPDX-License-Identifier: MIT
// The time bar of a series of snapshots.

import { el, setAttribute, setText } from '../dom.ts';
import { date, elapsed, timeOfDay } from '../format.ts';
import type { Film } from './film.ts';

export class FilmBar {
  readonly element: HTMLElement;
  private readonly play =
    el('button', { type: 'button', class: 'hold', click: () => this.film.toggle() });
  private readonly slider: HTMLInputElement;
  private readonly label = el('output', { class: 'time-label' });

  constructor(private readonly film: Film) {
    this.slider = el('input', {
      type: 'range', min: 0, max: film.last, step: 1, 'aria-label': 'Snapshot of the series',
      input: () => this.slid(),
    });
    const step = (direction: -1 | 1, text: string, title: string) => el(
      'button', { type: 'button', title, 'aria-label': title, click: () => film.step(direction) },
      text
    );
    this.element = el(
      'div', { class: 'timebar filmbar', role: 'group', 'aria-label': 'Time' }, this.play,
      step(-1, '◁', 'Previous snapshot (,)'), step(1, '▷', 'Next snapshot (.)'),
      el('div', { class: 'track' }, this.slider), this.label
    );
    film.changed.on(() => this.update());
    this.update();
  }

  private slid(): void {
    const number = Number(this.slider.value);
    this.film.pause();
    this.film.show(number);
  }

  private update(): void {
    const { film } = this;
    setText(this.play, film.playing ? '❚❚ Pause' : '▶ Play');
    setAttribute(this.play, 'title', `${film.playing ? 'Pause' : 'Play'} (space)`);
    if (film.loading === null) this.slider.value = String(film.number);
    setAttribute(this.slider, 'aria-valuetext', this.words());
    setText(this.label, film.problem || this.words());
    this.label.classList.toggle('bad', film.problem !== '');
  }

  private words(): string {
    const { times, number, last, loading } = this.film;
    const [first, now] = [times[0] ?? 0, times[number] ?? 0];
    const day = date(now) === date(first) ? '' : `${date(now)} `;
    const since = number === 0 ? '' : ` (+${elapsed(Math.max(0, now - first))})`;
    const waits = loading === null || loading === number ? '' : ' …';
    return `${number + 1} of ${last + 1} · ${day}${timeOfDay(now).slice(0, 8)}${since}${waits}`;
  }
}
