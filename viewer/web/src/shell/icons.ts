// SPDX-License-Identifier: MIT
// Icons of the tools: strokes on a grid of 16.

const PATHS = {
  log: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  pages: 'M2.5 2.5h11v11h-11zM6.2 2.5v11M9.8 2.5v11M2.5 6.2h11M2.5 9.8h11',
  inspector: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4l3.6 3.6',
  processes: 'M2.5 3.5h4v4h-4zM9.5 3.5h4M9.5 6.5h4M2.5 10.5h4v3h-4zM9.5 10.5h4M9.5 13.5h4',
  slots: 'M2.5 4c0-2 11-2 11 0v8c0 2-11 2-11 0zM2.5 4c0 2 11 2 11 0M2.5 8c0 2 11 2 11 0',
  statistics: 'M2.5 2.5v11h11M5 10l2.5-4 2.5 2 3.5-5',
  treemap: 'M2.5 2.5h11v11h-11zM8.5 2.5v11M8.5 8h5M2.5 10h6',
  changes: 'M2.5 3.5h7M2.5 6.5h11M2.5 10.5h11M2.5 13h5',
  blocks: 'M2.5 2.5h5v5h-5zM9.5 2.5h4v5h-4zM2.5 9.5h5v4h-5zM9.5 9.5h4v4h-4zM5 5h.1M11.5 11.5h.1',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
