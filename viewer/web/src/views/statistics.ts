// SPDX-License-Identifier: MIT
// Statistics: rates and service time over time, rush hours, contiguity, totals.

import { el, setText } from '../dom.ts';
import { count, mib, micros, rate, share, timeOfDay } from '../format.ts';
import { css } from '../grid/colours.ts';
import type { Bucket } from '../model/rate_history.ts';
import { panel, type LiveApp, type View } from '../shell/view.ts';
import { Chart, type Line } from './chart.ts';

/** Minimum time in ms between two repaints of the charts. */
const REDRAW_MS = 250;
const SPANS: [string, number][] = [['1 min', 60], ['5 min', 300], ['1 h', 3600], ['all', Infinity]];
/** Width of a bar in ms by length of the trace, so that bars stay distinguishable. */
const BUCKETS: [number, number, string][] = [
  [10 * 60_000, 10_000, '10 s'],
  [3 * 3600_000, 60_000, 'minute'],
  [24 * 3600_000, 600_000, '10 min'],
  [Infinity, 3600_000, 'hour'],
];
const RUSH = 3;

export class StatisticsView implements View {
  readonly id = 'statistics';
  readonly element: HTMLElement;
  private readonly figures = new Map<string, HTMLElement>();
  /** For figures that count pages. */
  private readonly sizes = new Map<string, HTMLElement>();
  private readonly rush = el('p', { class: 'rush' });
  private readonly rates: Chart;
  private readonly service: Chart;
  private readonly bars: Chart;
  private readonly span = el(
    'select', { 'aria-label': 'Stretch of time', change: () => (this.dirty = true) },
    ...SPANS.map(([name], i) => el('option', { value: i }, name))
  );
  private dirty = true;
  private drawnAt = -Infinity;

  constructor(private readonly app: LiveApp) {
    const colour = (name: 'in' | 'out') => () => css(app.look.palette[name]);
    const ins: Line = { label: 'in/s', colour: colour('in'), format: rate };
    const outs: Line = { label: 'out/s', colour: colour('out'), format: rate };
    const major: Line = {
      label: 'major faults/s',
      colour: () => app.look.variable('--text'),
      format: rate,
      dash: [4, 3],
    };
    const clock = (seconds: number) => this.time(seconds);
    this.rates = new Chart('Pages per second', [ins, outs, major], app.look, clock);
    this.service = new Chart(
      'Mean service time of a swap-in, hits apart',
      [{ label: 'service', colour: () => app.look.variable('--accent'), format: micros }], app.look,
      clock
    );
    this.bars = new Chart(
      'Rush hours',
      [
        {...ins, label: 'in', bars: -1, format: count },
        {...outs, label: 'out', bars: 1, format: count }
      ],
      app.look, clock
    );
    const charts = el(
      'div', { class: 'charts' }, this.rates.element, this.service.element,
      el('div', { class: 'chart-cell' }, this.bars.element, this.rush)
    );
    this.span.value = '1';
    this.element = panel(app, this.id, 'Statistics', [this.span], [this.totals(), charts], true);
    app.session.onRates.on(() => (this.dirty = true));
    app.session.onState.on(() => this.update());
    app.look.changed.on(() => (this.dirty = true));
  }

  frame(at: number): void {
    if (!this.dirty || at - this.drawnAt < REDRAW_MS) return;
    this.dirty = false;
    this.drawnAt = at;
    const { session } = this.app;
    const all = session.rates.seconds();
    const last = all.at(-1)?.[0] ?? 0;
    const span = SPANS[Number(this.span.value)]?.[1] ?? Infinity;
    const shown = all.filter((row) => row[0] >= last - span * 1000);
    const x = shown.map((row) => session.wall(row[0]) / 1000);
    this.rates.draw(
      [x, shown.map((row) => row[1]), shown.map((row) => row[2]), shown.map((row) => row[3])]
    );
    this.service.draw([x, shown.map((row) => row[4])]);
    const length = last - (all[0]?.[0] ?? 0);
    const [, width, name] = BUCKETS.find(([most]) => length <= most)!;
    this.drawBars(session.rates.buckets(width), name);
  }

  private drawBars(buckets: Bucket[], name: string): void {
    const { session } = this.app;
    this.bars.title(`Rush hours: pages each ${name}`);
    this.bars.draw([
      buckets.map((bucket) => session.wall(bucket.t) / 1000), buckets.map((bucket) => bucket.ins),
      buckets.map((bucket) => bucket.outs)
    ]);
    const most = [...buckets]
      .sort((a, b) => b.ins + b.outs - a.ins - a.outs)
      .slice(0, RUSH)
      .filter((bucket) => bucket.ins + bucket.outs > 0);
    const words = most.map((bucket) => {
      const time = this.time(session.wall(bucket.t) / 1000);
      return `${time} (${count(bucket.ins)} in, ${count(bucket.outs)} out)`;
    });
    setText(
      this.rush,
      words.length > 0 ? `Busiest: ${words.join(' · ')}` : 'Nothing has been swapped yet.'
    );
  }

  private time(seconds: number): string {
    return timeOfDay(seconds * 1000, this.app.session.hello?.utc_offset_min).slice(0, 8);
  }

  private totals(): HTMLElement {
    const names: [string, string][] = [
      ['in', 'pages read from swap'],
      ['out', 'pages written to swap'],
      ['read ahead', 'pages read in addition to the requested one'],
      ['cache hits', 'faults that found their page in the swap cache, without a read'],
      ['major faults', 'faults that waited for the disk'],
      [
        'contiguous',
        'pairs of neighbouring virtual pages whose frames are also neighbours'
      ],
      ['lost', 'events that the tracer or the network lost'],
      [
        'not logged',
        'log lines not sent to this page: more than 200 per second, or the page was slow'
      ],
    ];
    return el('div', { class: 'figures' }, ...names.map(([name, hint]) => {
      const value = el('span', { class: 'figure-value', 'data-total': name }, '–');
      this.figures.set(name, value);
      const size = el('span', { class: 'size' });
      this.sizes.set(name, size);
      const title = el('span', { class: 'figure-title' }, name, ' ', size);
      return el('div', { class: 'figure', title: hint }, value, title);
    }));
  }

  private update(): void {
    const { state } = this.app.session;
    const pairs = state.contiguity?.pairs ?? 0;
    const values = [
      count(state.ins), count(state.outs), count(state.readahead), count(state.hits),
      count(state.major), share(state.contiguity?.adjacent ?? 0, pairs), count(state.lost),
      count(state.skipped)
    ];
    [...this.figures.values()].forEach((figure, i) => setText(figure, values[i] ?? '–'));
    const pages: [string, number][] = [
      ['in', state.ins], ['out', state.outs], ['read ahead', state.readahead],
    ];
    for (const [name, sum] of pages)
      setText(this.sizes.get(name)!, mib(sum, this.app.session.pageSize));
    this.figures.get('lost')?.classList.toggle('bad', state.lost > 0);
  }
}

