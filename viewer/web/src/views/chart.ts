// SPDX-License-Identifier: MIT
// A small uPlot chart in the page's colours that fills the available width.

import uPlot from 'uplot';
import { el, setText } from '../dom.ts';
import type { Look } from '../shell/look.ts';

export interface Line {
  label: string;
  colour: () => string;
  format: (value: number) => string;
  dash?: number[];
  /** Bars instead of a line: -1 left of the middle, 1 right of it. */
  bars?: -1 | 1;
}

const HEIGHT = 150;
const LEGEND_HEIGHT = 26;
const MIN_AXIS = 52;
const AXIS_MARGIN = 14;
const FONT = '11px system-ui, sans-serif';

export class Chart {
  readonly element: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly chart: uPlot;

  constructor(title: string, lines: Line[], look: Look, clock: (seconds: number) => string) {
    this.heading = el('figcaption', {}, title);
    const room = el('div', { class: 'chart-room' });
    this.element = el('figure', { class: 'chart' }, this.heading, room);
    this.chart = new uPlot(
      {
        width: 300,
        height: HEIGHT,
        cursor: { y: false, sync: { key: 'time' } },
        legend: { live: true },
        scales:
          { x: { time: true }, y: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: axes(look, clock, lines[0]),
        series: [
          { label: 'time', value: (_chart, seconds) => (seconds === null ? '–' : clock(seconds)) },
          ...lines.map(series)
        ],
      },
      [[], ...lines.map(() => [])] as unknown as uPlot.AlignedData,
      room,
    );
    new ResizeObserver(() => this.fit(room)).observe(room);
    look.changed.on(() => this.chart.redraw(false, true));
  }

  title(text: string): void {
    setText(this.heading, text);
  }

  draw(columns: (number | null)[][]): void {
    this.chart.setData(columns as uPlot.AlignedData);
  }

  private fit(room: HTMLElement): void {
    if (room.clientWidth > 0)
      this.chart.setSize(
        { width: room.clientWidth, height: Math.max(100, room.clientHeight - LEGEND_HEIGHT) }
      );
  }
}

function axes(look: Look, clock: (seconds: number) => string, first?: Line): uPlot.Axis[] {
  const line = () => look.variable('--line');
  const shared: uPlot.Axis = {
    stroke: () => look.variable('--muted'), font: FONT, grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
  };
  const format = (value: number) => first?.format(value) ?? '';
  return [
    { ...shared, size: 28, space: 70, values: (_chart, seconds) => seconds.map(clock) },
    { ...shared, size: roomFor, space: 28, values: (_chart, values) => values.map(format) },
  ];
}

/** Width for the longest label of an axis, its ticks and its margin. */
function roomFor(chart: uPlot, labels: string[] | null): number {
  chart.ctx.save();
  chart.ctx.font = FONT;
  const widths = (labels ?? []).map((label) => chart.ctx.measureText(label).width);
  chart.ctx.restore();
  return Math.ceil(Math.max(MIN_AXIS, ...widths.map((width) => width + AXIS_MARGIN)));
}

function series(line: Line): uPlot.Series {
  const shared = {
    label: line.label, stroke: line.colour, width: 1.5, points: { show: false }, spanGaps: false,
    value: (_chart: uPlot, value: number | null) => (value === null ? '–' : line.format(value)),
    ...(line.dash ? { dash: line.dash } : {}),
  };
  if (line.bars === undefined) return shared;
  const paths = uPlot.paths.bars?.({ size: [0.42, 40], align: line.bars });
  return { ...shared, width: 0, fill: line.colour, ...(paths ? { paths } : {}) };
}
