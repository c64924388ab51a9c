// SPDX-License-Identifier: MIT
// The page of a snapshot: memory, inspector and owners, with the bars, menus and keys of the live
// page.

import { el, setText } from '../dom.ts';
import { bytes, count, date, mib, timeOfDay } from '../format.ts';
import { css } from '../grid/colours.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { MenuBar, ToolBar } from '../shell/bars.ts';
import type { Command } from '../shell/commands.ts';
import { openDialog } from '../shell/dialog.ts';
import { BARS, appearance, keysCommand, toggles } from '../shell/page_commands.ts';
import { Shell } from '../shell/shell.ts';
import type { App } from '../shell/view.ts';
import { sizeOf } from '../views/page_count.ts';
import { categoryColour } from './categories.ts';
import { FrameInspector } from './frame_inspector.ts';
import { SCHEMES, schemesOf, type Scheme } from './frames.ts';
import { MemoryView } from './memory_view.ts';
import { OwnersView } from './owners_view.ts';
import { SnapshotModel } from './snapshot_model.ts';

export function startSnapshot(app: App, snapshot: Snapshot): void {
  const scheme =
    schemesOf(snapshot).find(([id]) => id === app.settings.now.colourBy)?.[0] ?? 'process';
  const model = new SnapshotModel(snapshot, scheme);
  const memory = new MemoryView(app, model);
  const owners = new OwnersView(app, model);
  addCommands(app, model, memory, owners);
  const menubar = new MenuBar(app.commands, app.settings);
  app.commands.add({
    id: 'menu',
    label: 'View menu',
    key: 'F10',
    keyLabel: 'F10',
    kind: 'plain',
    group: 'Help',
    run: () => menubar.openMenu(),
  });
  setText(menubar.facts, facts(snapshot));
  const chooser = schemeChooser(app, model);
  const toolbar = new ToolBar(
    app.commands, [[['memory', 'pages'], ['inspector', 'inspector'], ['owners', 'processes']]],
    [chooser]
  );
  const status = statusBar(model);
  new Shell(
    app, {
      menubar: menubar.element,
      toolbar: toolbar.element,
      legend: legend(app, model),
      statusbar: status,
    },
    [
      [memory, [new FrameInspector(app, model), owners]],
    ]
  );
  app.settings.changed.on(() => toolbar.update());
}

function facts(snapshot: Snapshot): string {
  const { kernel, arch, collector, page_size, ram_pages, time_ms } = snapshot.facts;
  const when = time_ms === undefined ? '' : `${date(time_ms)} ${timeOfDay(time_ms).slice(0, 8)}`;
  const parts = [
    'snapshot', when, collector, kernel && `Linux ${kernel}`, arch, bytes(ram_pages * page_size),
    `pages of ${bytes(page_size)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function setScheme(app: App, model: SnapshotModel, scheme: Scheme): void {
  app.settings.set({ colourBy: scheme });
  if (scheme !== model.owners.scheme) model.setScheme(scheme);
}

function addCommands(app: App, model: SnapshotModel, memory: MemoryView, owners: OwnersView): void {
  const schemes = schemesOf(model.snapshot).map(([id, label], i): Command => ({
    id: `by-${id}`, label, kind: 'radio', group: 'Coloured by',
    ...(i < SCHEMES.length ? { key: String(i + 5), keyLabel: String(i + 5) } : {}),
    checked: () => model.owners.scheme === id,
    run: () => setScheme(app, model, id),
  }));
  app.commands.add(
    ...toggles(
      app.settings, 'Views',
      [
        ['memory', 'Physical memory', '1'], ['inspector', 'Data inspector', '2'],
        ['owners', 'Owners', '3']
      ]
    ),
    ...toggles(app.settings, 'Bars', BARS),
    {
      id: 'block',
      label: 'Configuration: beginning page …',
      key: 'g',
      keyLabel: 'g',
      kind: 'plain',
      group: 'Block',
      run: () => memory.configure(),
    },
    {
      id: 'block-before',
      label: 'Previous block',
      key: '[',
      keyLabel: '[',
      kind: 'plain',
      group: 'Block',
      run: () => memory.turn(-1),
    },
    {
      id: 'block-after',
      label: 'Next block',
      key: ']',
      keyLabel: ']',
      kind: 'plain',
      group: 'Block',
      run: () => memory.turn(1),
    },
    {
      id: 'search',
      label: 'Search …',
      key: '/',
      keyLabel: '/',
      kind: 'plain',
      group: 'Block',
      run: () => {
        app.settings.show('owners', true);
        owners.focusSearch();
      }
    },
    ...schemes,
    {
      id: 'all',
      label: 'Remove highlight',
      key: 'a',
      keyLabel: 'a',
      kind: 'plain',
      group: 'Coloured by',
      enabled: () => model.focus !== null,
      run: () => model.setFocus(null),
    },
    ...appearance(app.settings).filter((command) => command.group === 'Theme'),
    keysCommand(app.commands),
  );
}

function schemeChooser(app: App, model: SnapshotModel): HTMLElement {
  const select = el(
    'select', { id: 'colour-by', change: () => setScheme(app, model, select.value as Scheme) },
    ...schemesOf(model.snapshot).map(([id, label]) => el('option', { value: id }, label))
  );
  const follow = () => (select.value = model.owners.scheme);
  model.onScheme.on(follow);
  follow();
  return el('label', { class: 'inline' }, 'Coloured by ', select);
}

function legend(app: App, model: SnapshotModel): HTMLElement {
  const list = el('ul', {});
  const size = (frames: number) => sizeOf(frames, model.pageSize);
  const fill = () => {
    const { list: categories } = model.categories;
    const items = categories.map((category) => {
      const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = css(categoryColour(category.code, app.look.dark));
      return el(
        'li', { 'data-frames': category.frames, title: category.name }, swatch,
        `${shortName(category.name)} `, el('b', {}, count(category.frames)), ' ',
        size(category.frames)
      );
    });
    const ram = model.snapshot.facts.ram_pages;
    const sum = el('li', { class: 'sum' }, `= ${count(ram)} frames of RAM `, size(ram));
    list.replaceChildren(...items, sum);
  };
  model.onScheme.on(fill);
  app.look.changed.on(fill);
  fill();
  return el('section', { class: 'legend', id: 'legend', 'aria-label': 'Legend' }, list);
}

/** The last part of a path, because the legend is small. The tooltip contains the whole path. */
function shortName(name: string): string {
  return name.startsWith('/') ? name.slice(name.lastIndexOf('/') + 1) || name : name;
}

function notesButton(notes: string[]): HTMLElement {
  const open = () => openDialog(
    'Notes on this snapshot', 'notes-dialog',
    [el('ul', { class: 'notes' }, ...notes.map((note) => el('li', {}, note)))], []
  );
  return el(
    'button', { type: 'button', class: 'link', click: open },
    notes.length === 1 ? '1 note' : `${notes.length} notes`
  );
}

function statusBar(model: SnapshotModel): HTMLElement {
  const { facts: { processes, units, ram_pages, notes }, frame } = model.snapshot;
  const unmapped = model.categories.list.at(-1)?.frames ?? 0;
  return el(
    'footer', { class: 'statusbar', id: 'statusbar', 'aria-label': 'Status' },
    el(
      'span', {},
      `${count(ram_pages - unmapped)} (${mib(ram_pages - unmapped, model.pageSize)}) of ${
        count(ram_pages)} frames mapped`
    ),
    el('span', {}, `${count(processes.length)} processes`),
    el('span', {}, `${count(units.length)} units`),
    el('span', { class: 'optional' }, `${count(frame.length)} runs`),
    el('span', { class: 'spring' }), notes?.length ? notesButton(notes) : null
  );
}
