// SPDX-License-Identifier: MIT
// The Configuration Dialog of the paper: the first page of the block.

import { el, setText } from '../dom.ts';
import { hex, parseFrame } from '../format.ts';
import { HOLD_CHOICES_MS, type Settings } from '../model/settings.ts';
import { BLOCK } from '../protocol/binary.ts';
import { openDialog } from './dialog.ts';

export interface BlockDialog {
  what: 'page' | 'slot';
  /** One more than the last number. */
  end: number;
  begin: number;
  /** The dialog also asks how long cells keep their colour. */
  settings?: Settings | undefined;
  chosen(begin: number): void;
}

function holdChooser(value: number): HTMLSelectElement {
  const select = el('select', {},
    ...HOLD_CHOICES_MS.map((ms) => el('option', { value: ms }, `${ms / 1000}\u2009s`)));
  select.value = String(value);
  return select;
}

/** Why there is no page or slot with what the user typed; empty: there is. */
function problemOf(about: BlockDialog, typed: string): string {
  const begin = parseFrame(typed);
  if (begin === null) return `“${typed}” is no number: expected hexadecimal digits, as 1A2B3.`;
  if (begin < about.end) return '';
  return `There is no ${about.what} ${hex(begin, 1)}: the last is ${hex(lastOf(about), 1)}.`;
}

const lastOf = (about: BlockDialog): number => Math.max(0, about.end - 1);

export function openBlockDialog(about: BlockDialog): void {
  const problem = el('p', { class: 'problem', role: 'alert', id: 'begin-problem' });
  const input = el('input', {
    type: 'text', id: 'begin-page', value: hex(about.begin), spellcheck: 'false',
    autocomplete: 'off', 'aria-describedby': 'begin-help begin-problem',
  });
  const hold = about.settings ? holdChooser(about.settings.now.holdMs) : null;
  const form = el(
    'form',
    { submit: (event: Event) => submit(event), id: 'block-form' },
    el('label', { for: 'begin-page' }, `Beginning ${about.what} number`),
    input,
    el(
      'p', { class: 'hint', id: 'begin-help' },
      `Hexadecimal, 0 to ${hex(lastOf(about), 1)}; with # in front decimal, #0 to #${
        lastOf(about)}. Shown is the block of ${BLOCK} ${about.what}s that holds it.`
    ),
    problem,
    hold && el('label', { class: 'inline' }, 'Blue and red stay for ', hold),
  );
  const dialog = openDialog('Configuration', 'block-dialog', [form], [
    el('button', { type: 'button', click: () => dialog.close() }, 'Cancel'),
    el('button', { type: 'submit', class: 'primary', form: 'block-form' }, 'Show'),
  ]);
  input.select();

  function submit(event: Event): void {
    event.preventDefault();
    setText(problem, problemOf(about, input.value));
    if (problem.textContent) return input.focus();
    dialog.close();
    if (hold) about.settings?.set({ holdMs: Number(hold.value) });
    about.chosen(parseFrame(input.value)!);
  }
}
