// SPDX-License-Identifier: MIT
// Memory in use as a treemap: process, region, file, and classes of frames that no process maps,
// with their owners. One level can be chosen, and the next is painted in it.

import { el } from '../dom.ts';
import { count, mib, share, shortName } from '../format.ts';
import { CATEGORY_COLOURS, OTHER_COLOUR, css, textOn, type Rgb } from '../grid/colours.ts';
import { COLUMN_KEYS, ROW_KEYS, RovingFocus } from '../shell/roving_focus.ts';
import { panel, type App, type View } from '../shell/view.ts';
import { sizeOf } from '../views/page_count.ts';
import { CLASS } from './categories.ts';
import { pathTo } from './path.ts';
import { saveTreemap } from './save.ts';
import type { SnapshotModel } from './snapshot_model.ts';
import { squarify, type Box } from './squarify.ts';
import { usageTree, type UsageNode } from './usage_tree.ts';

/** Boxes of a level with more nodes: the last stands for the rest. */
const MAX_BOXES = 160;
/** Height of a box's label, and the least room for one, in CSS pixels. */
const LABEL = 18;
const LABEL_ROOM = { width: 34, height: 16 };
/** Boxes with shorter sides have no parts. */
const LEAST_PARTS = 6;

export class TreemapView implements View {
  readonly id = 'treemap';
  readonly element: HTMLElement;
  private readonly path = el('nav', { class: 'treemap-path', 'aria-label': 'Part of memory' });
  private readonly map = el('div', {
    class: 'treemap', role: 'group', keydown: (event: KeyboardEvent) => this.key(event),
  });
  private readonly legend = el('ul', { class: 'treemap-legend' });
  private tree: UsageNode | null = null;
  /** Names from the process on; they stay over the snapshots of a series. */
  private opened: string[] = [];
  private readonly roving = new RovingFocus({ ...ROW_KEYS, ...COLUMN_KEYS }, {
    count: () => this.map.querySelectorAll('.treemap-box:not(:disabled)').length,
    element: (at) => this.map.querySelectorAll<HTMLElement>('.treemap-box')[at],
  });
  private isStale = true;

  constructor(private readonly app: App, private readonly model: SnapshotModel) {
    const body = [this.map, this.legend];
    this.element = panel(app, this.id, 'Treemap', [this.path], body);
    model.onSnapshot.on(() => {
      this.tree = null;
      this.isStale = true;
    });
    app.look.changed.on(() => (this.isStale = true));
    new ResizeObserver(() => (this.isStale = true)).observe(this.map);
  }

  frame(): void {
    if (!this.isStale || this.map.clientWidth === 0) return;
    this.isStale = false;
    this.show();
  }

  save(): void {
    saveTreemap(this.map);
  }

  /** The opened node and those above it, from the root. */
  private nodes(): UsageNode[] {
    this.tree ??= usageTree(this.model.snapshot, this.model.ram);
    const nodes = [this.tree];
    for (const name of this.opened) {
      const next = nodes.at(-1)!.children.find((child) => child.name === name);
      if (!next) break;
      nodes.push(next);
    }
    this.opened = nodes.slice(1).map((node) => node.name);
    return nodes;
  }

  private show(): void {
    const nodes = this.nodes();
    const node = nodes.at(-1)!;
    const hadFocus = this.map.contains(document.activeElement);
    this.showPath(nodes);
    this.map.setAttribute('aria-label', `Parts of ${node.name}`);
    const shown = withRest(node.children, MAX_BOXES);
    this.roving.current = Math.min(this.roving.current, Math.max(0, shown.length - 1));
    const { clientWidth: width, clientHeight: height } = this.map;
    const boxes = squarify(shown.map(({ pages }) => pages), { x: 0, y: 0, width, height });
    this.map.replaceChildren(
      ...shown.map((child, i) => this.box(child, boxes[i]!, i, node.pages)),
      ...(shown.length === 0 ? [el('p', { class: 'empty' }, 'No pages with a frame.')] : [])
    );
    if (hadFocus) this.roving.focus();
    this.showLegend();
  }

  private showPath(nodes: UsageNode[]): void {
    const names = nodes.map(({ name }) => shortName(name));
    this.path.replaceChildren(
      ...pathTo(names, 'Back to this part (Escape: one level)', (depth) => this.close(depth)),
      sizeOf(nodes.at(-1)!.pages, this.model.pageSize)
    );
  }

  private words(node: UsageNode, all: number): string {
    return `${node.name}: ${count(node.pages)} pages, ${mib(node.pages, this.model.pageSize)}, ` +
      share(node.pages, all);
  }

  private box(node: UsageNode, box: Box, at: number, all: number): HTMLElement {
    const words = this.words(node, all);
    const isRest = node.focus === null;
    const hasLabel = box.width >= LABEL_ROOM.width && box.height >= LABEL_ROOM.height;
    const button = el(
      'button', {
        type: 'button', class: 'treemap-box', title: words, 'aria-label': words,
        'data-pages': Math.round(node.pages * 100) / 100, disabled: isRest,
        tabindex: this.roving.tabIndex(at), click: () => this.choose(at, node),
      },
      ...(hasLabel ? [el('span', { class: 'treemap-label' }, shortName(node.name))] : []),
      ...this.parts(node, { x: 0, y: LABEL, width: box.width - 2, height: box.height - LABEL - 2 })
    );
    put(button, box);
    const isSmall = button.querySelector('.treemap-part') === null;
    const isProcess = node.region === undefined && node.frameClass === undefined;
    if (isSmall) paint(button, this.colourOf(isProcess && !isRest ? node.children[0]! : node));
    return button;
  }

  private colourOf({ frameClass, region }: UsageNode): Rgb {
    if (frameClass !== undefined)
      return this.model.colours.of(CLASS + frameClass, this.app.look.dark);
    return CATEGORY_COLOURS[region ?? -1] ?? OTHER_COLOUR;
  }

  /** The next level: of a process its regions, of a region its files, of a class its owners. */
  private parts(node: UsageNode, room: Box): HTMLElement[] {
    if (room.width < LEAST_PARTS || room.height < LEAST_PARTS) return [];
    const shown = withRest(node.children, MAX_BOXES);
    const boxes = squarify(shown.map(({ pages }) => pages), room);
    return shown.map((child, i) => {
      const box = boxes[i]!;
      const hasLabel = box.width >= LABEL_ROOM.width * 1.5 && box.height >= LABEL_ROOM.height;
      // Its label is not a part of the button's name, so style adds it.
      const part = el('span', {
        class: 'treemap-part', 'aria-hidden': 'true', title: this.words(child, node.pages),
        'data-label': hasLabel ? shortName(child.name) : '',
      });
      put(part, box);
      paint(part, this.colourOf(child));
      return part;
    });
  }

  private showLegend(): void {
    const { regions } = this.model.snapshot.facts;
    const shown = this.tree?.children ?? [];
    const classes = shown.filter(({ frameClass }) => frameClass !== undefined);
    const used = new Map<number, UsageNode>();
    for (const node of shown.flatMap(({ children }) => children)) {
      if (node.region === undefined) continue;
      const { pages } = used.get(node.region) ?? { pages: 0 };
      used.set(node.region, { ...node, pages: pages + node.pages });
    }
    const sorted = [...used.values(), ...classes].sort((a, b) => b.pages - a.pages);
    this.legend.replaceChildren(...sorted.map((node) => {
      const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = css(this.colourOf(node));
      const isClassToo = node.frameClass !== undefined && regions.includes(node.name);
      return el('li', {}, swatch, isClassToo ? `${node.name}, not mapped` : node.name);
    }));
  }

  /** Opens a node with parts. Its frames are highlighted. */
  private choose(at: number, node: UsageNode): void {
    this.roving.current = at;
    this.model.setFocus(node.focus);
    if (node.children.length === 0) return;
    this.opened.push(node.name);
    this.roving.current = 0;
    this.show();
    this.roving.focus();
  }

  /** Back to a node above, whose opened child is then current. */
  private close(depth: number): void {
    if (depth < 0) return;
    const name = this.opened[depth];
    this.opened.length = depth;
    const node = this.nodes().at(-1)!;
    const at = node.children.findIndex((child) => child.name === name);
    this.roving.current = Math.max(0, at);
    this.model.setFocus(node.focus);
    this.show();
    this.roving.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close(this.opened.length - 1);
    else if (!this.roving.key(event)) return;
    event.preventDefault();
  }
}

/** The first nodes, and one that stands for all others. */
function withRest(nodes: UsageNode[], most: number): UsageNode[] {
  if (nodes.length <= most) return nodes;
  const rest = nodes.slice(most - 1);
  const pages = rest.reduce((sum, node) => sum + node.pages, 0);
  const others: UsageNode = { name: `${rest.length} more`, pages, children: [], focus: null };
  return [...nodes.slice(0, most - 1), others];
}

function put(element: HTMLElement, box: Box): void {
  const { style } = element;
  [style.left, style.top] = [`${box.x}px`, `${box.y}px`];
  [style.width, style.height] = [`${box.width}px`, `${box.height}px`];
}

function paint(element: HTMLElement, colour: Rgb): void {
  element.style.background = css(colour);
  element.style.color = textOn(colour);
}
