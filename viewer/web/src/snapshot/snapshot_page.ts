// SPDX-License-Identifier: MIT
// The page of a snapshot: memory, inspector and owners, with the bars, menus and keys of the live
// page.

import { el, setText } from '../dom.ts';
import { bytes, count, date, mib, timeOfDay } from '../format.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { MenuBar, ToolBar } from '../shell/bars.ts';
import { plain, type Command } from '../shell/commands.ts';
import { openDialog } from '../shell/dialog.ts';
import type { IconName } from '../shell/icons.ts';
import { BARS, appearance, keysCommand, toggles } from '../shell/page_commands.ts';
import { Shell } from '../shell/shell.ts';
import type { App } from '../shell/view.ts';
import { followAddress } from './address.ts';
import { ChangesView } from './changes_view.ts';
import { Film } from './film.ts';
import { FilmBar } from './film_bar.ts';
import { mappedFrames } from './frames.ts';
import { FrameInspector } from './frame_inspector.ts';
import { LedgerBar } from './ledger_bar.ts';
import { snapshotLegend } from './snapshot_legend.ts';
import { MemoryView } from './memory_view.ts';
import type { Moments } from './moments.ts';
import { OwnersView } from './owners_view.ts';
import { schemesOf, type Scheme } from './schemes.ts';
import { SnapshotModel } from './snapshot_model.ts';
import { TreemapView } from './treemap_view.ts';

export function startSnapshot(app: App, snapshot: Snapshot, moments: Moments): void {
  const stored = schemesOf(snapshot).find(([id]) => id === app.settings.now.colourBy)?.[0];
  const model = new SnapshotModel(snapshot, stored ?? (snapshot.ram ? 'class' : 'process'));
  const memory = new MemoryView(app, model);
  const owners = new OwnersView(app, model);
  const ledger = new LedgerBar(model, app.look);
  ledger.onOpen.on((number) => {
    if (number === null) owners.showAll();
    else owners.showList(listOf(model, number), number);
  });
  const { changes } = moments.facts;
  const treemap = new TreemapView(app, model);
  const users = [
    treemap, ...(changes ? [new ChangesView(app, model, changes)] : []),
  ];
  const film = moments.facts.times_ms.length < 2 ? null : new Film(model, moments);
  addCommands(app, model, memory, owners, treemap, ledger);
  if (changes) app.commands.add(...toggles(app.settings, 'Views', [['changes', 'Changes', 'x']]));
  const menubar = new MenuBar(app.commands, app.settings);
  const showFacts = () => setText(menubar.facts, facts(model.snapshot));
  model.onSnapshot.on(showFacts);
  showFacts();
  new Shell(
    app, {
      menubar: menubar.element,
      toolbar: toolBar(app, model, moments, film).element,
      legend: snapshotLegend(app, model),
      statusbar: statusBar(model, moments.facts.notes),
      ...(snapshot.ram ? { ledger: ledger.element } : {}),
    },
    [
      users,
      [memory, [new FrameInspector(app, model), owners]],
    ]
  );
  void followAddress(model, owners, film);
}

function toolBar(
  app: App, model: SnapshotModel, moments: Moments, film: Film | null
): ToolBar {
  const groups: [string, IconName][][] = [[
    ['memory', 'pages'], ['inspector', 'inspector'], ['owners', 'processes'],
    ['treemap', 'treemap'],
  ]];
  if (moments.facts.changes) groups[0]!.push(['changes', 'changes']);
  if (model.ram) groups.push([['pageblocks', 'blocks']]);
  const rest = [schemeChooser(app, model), ...filmBar(app, film)];
  const toolbar = new ToolBar(app.commands, groups, rest);
  app.settings.changed.on(() => toolbar.update());
  return toolbar;
}

/** Only for a series. */
function filmBar(app: App, film: Film | null): HTMLElement[] {
  if (!film) return [];
  app.commands.add(
    plain('Time', 'play', 'Play or pause', ' ', () => film.toggle()),
    plain('Time', 'moment-before', 'Previous snapshot', ',', () => film.step(-1)),
    plain('Time', 'moment-after', 'Next snapshot', '.', () => film.step(1)),
  );
  return [new FilmBar(film).element];
}

function facts(snapshot: Snapshot): string {
  const { kernel, arch, collector, page_size, ram_pages, ram, time_ms } = snapshot.facts;
  const when = time_ms === undefined ? '' : `${date(time_ms)} ${timeOfDay(time_ms).slice(0, 8)}`;
  const parts = [
    'snapshot', when, collector, kernel && `Linux ${kernel}`, arch,
    bytes((ram?.frames ?? ram_pages) * page_size), `pages of ${bytes(page_size)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function setScheme(app: App, model: SnapshotModel, scheme: Scheme): void {
  app.settings.set({ colourBy: scheme });
  if (scheme !== model.scheme) model.setScheme(scheme);
}

/** The list with the owners of a class. */
function listOf(model: SnapshotModel, number: number): string {
  if (model.ram?.classes.is(number, 'anon')) return 'process';
  const kind = model.ram?.ownerKind(number) ?? null;
  if (kind === null) return 'class';
  return kind === 'file' || kind === 'slab' ? kind : 'kernel';
}

/** Keys of the schemes that are used most. */
const SCHEME_KEYS: Partial<Record<Scheme, string>> = {
  process: '5', unit: '6', region: '7', sharing: '8', class: '9', file: '0',
};

function addCommands(
  app: App, model: SnapshotModel, memory: MemoryView, owners: OwnersView, treemap: TreemapView,
  ledger: LedgerBar
): void {
  const schemes = schemesOf(model.snapshot).map(([id, label]): Command => ({
    id: `by-${id}`, label, kind: 'radio', group: 'Coloured by',
    ...(SCHEME_KEYS[id] ? { key: SCHEME_KEYS[id] } : {}),
    checked: () => model.scheme === id,
    run: () => setScheme(app, model, id),
  }));
  const hasRam = model.ram !== null;
  const bars: typeof BARS = hasRam ? [...BARS, ['ledger', 'Ledger', 'r']] : BARS;
  app.commands.add(
    ...toggles(
      app.settings, 'Views',
      [
        ['memory', 'Physical memory', '1'], ['inspector', 'Data inspector', '2'],
        ['owners', 'Owners', '3'], ['treemap', 'Treemap', '4']
      ]
    ),
    ...toggles(app.settings, 'Bars', bars),
    ...blockCommands(app, model, memory),
    plain('Highlight', 'search', 'Search …', '/', () => {
      app.settings.show('owners', true);
      owners.focusSearch();
    }),
    ...focusCommands(model, ledger),
    plain('Save', 'save-list', 'List of owners as CSV', '', () => owners.save()),
    plain('Save', 'save-picture', 'Map of memory as PNG', '', () => memory.save()),
    plain(
      'Save', 'save-treemap', 'Treemap as SVG', '', () => treemap.save(),
      () => app.settings.shown('treemap')
    ),
    ...schemes,
    ...appearance(app.settings).filter((command) => command.group === 'Theme'),
    keysCommand(app.commands),
  );
}

function blockCommands(app: App, model: SnapshotModel, memory: MemoryView): Command[] {
  const commands = [
    plain('Block', 'block', 'Configuration: beginning page …', 'g', () => memory.configure()),
    plain('Block', 'block-before', 'Previous block', '[', () => memory.turn(-1)),
    plain('Block', 'block-after', 'Next block', ']', () => memory.turn(1)),
  ];
  if (model.ram)
    commands.push(...toggles(app.settings, 'Block', [['pageblocks', 'Map of pageblocks', 'b']]));
  return commands;
}

function focusCommands(model: SnapshotModel, ledger: LedgerBar): Command[] {
  const isFocused = () => model.focus !== null;
  const removeFocus = () => {
    ledger.close();
    model.setFocus(null);
  };
  return [
    plain('Highlight', 'span-after', 'Next run', 'n', () => model.turnSpan(1), isFocused),
    plain('Highlight', 'span-before', 'Previous run', 'N', () => model.turnSpan(-1), isFocused),
    plain('Highlight', 'all', 'Remove highlight', 'a', removeFocus, isFocused),
  ];
}

function schemeChooser(app: App, model: SnapshotModel): HTMLElement {
  const select = el(
    'select', { id: 'colour-by', change: () => setScheme(app, model, select.value as Scheme) },
    ...schemesOf(model.snapshot).map(([id, label]) => el('option', { value: id }, label))
  );
  const follow = () => (select.value = model.scheme);
  model.onScheme.on(follow);
  follow();
  return el('label', { class: 'inline' }, 'Coloured by ', select);
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

function statusBar(model: SnapshotModel, seriesNotes: string[]): HTMLElement {
  const element = el('footer', { class: 'statusbar', id: 'statusbar', 'aria-label': 'Status' });
  const show = () => {
    const { facts: { processes, units, notes }, frame, ram } = model.snapshot;
    const mapped = mappedFrames(model.snapshot).frames;
    const files = ram?.facts.owners.find((group) => group.kind === 'file')?.count;
    const all = [...seriesNotes, ...(notes ?? [])];
    const size = mib(mapped, model.pageSize);
    element.replaceChildren(
      el('span', {}, `${count(mapped)} (${size}) of ${count(model.ramPages)} frames mapped`),
      el('span', {}, `${count(processes.length)} processes`),
      el('span', {}, `${count(units.length)} mapped files`),
      ...(files === undefined ? [] : [el('span', {}, `${count(files)} files`)]),
      el('span', { class: 'optional' }, `${count(frame.length + (ram?.pages.length ?? 0))} runs`),
      el('span', { class: 'spring' }), ...(all.length > 0 ? [notesButton(all)] : [])
    );
  };
  model.onSnapshot.on(show);
  show();
  return element;
}
