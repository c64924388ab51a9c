// SPDX-License-Identifier: MIT
import { el } from '../dom.ts';
import { keyLabel, type Commands } from './commands.ts';
import { openDialog } from './dialog.ts';

const IN_GRIDS: [string, string][] = [
  ['← ↑ → ↓', 'move the selection; in the overview: to another block'],
  ['Home End', 'first and last cell of the block'],
  ['Page Up, Page Down', 'previous block, next block'],
  ['Enter', 'inspect the selected page or slot, the line of the log, the process'],
  ['Shift F10', 'pop-up menu'],
  ['F10', 'View menu, with the menu bar if it was hidden'],
  ['Tab', 'next view, next control'],
  ['Esc', 'close; back to all processes'],
];

const row = (keys: string, meaning: string) =>
  el('tr', {}, el('th', { scope: 'row' }, el('kbd', {}, keys)), el('td', {}, meaning));

export function openKeysDialog(commands: Commands): void {
  const own = commands.all
    .filter((command) => command.key)
    .map((command) => row(keyLabel(command), `${command.group}: ${command.label}`));
  openDialog('Keys', 'keys-dialog', [
    el('div', { class: 'keys' },
      el('table', {}, el('tbody', {}, ...own)),
      el('table', {}, el('tbody', {}, ...IN_GRIDS.map(([keys, meaning]) => row(keys, meaning))))),
  ], []);
}
