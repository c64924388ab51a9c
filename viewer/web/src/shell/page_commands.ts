// SPDX-License-Identifier: MIT
// The commands of every page, live or of a snapshot.

import type { PaletteName, Settings, ThemeName } from '../model/settings.ts';
import { check, plain, type Command, type Commands } from './commands.ts';
import { openKeysDialog } from './keys_dialog.ts';

export function toggles(
  settings: Settings, group: string, entries: [id: string, label: string, key: string][]
): Command[] {
  return entries.map(([id, label, key]) => check(
    group, id, label, key, () => settings.shown(id), () => settings.show(id, !settings.shown(id))
  ));
}

export const BARS: [string, string, string][] = [
  ['legend', 'Legend', 'e'],
  ['toolbar', 'Tool bar', 't'],
  ['menubar', 'Menu bar', 'm'],
  ['statusbar', 'Status bar', 's'],
];

export function appearance(settings: Settings): Command[] {
  const palettes: [PaletteName, string][] =
    [['paper', 'The paper’s: gray, blue, red, white'], ['safe', 'Colour-blind safe']];
  const themes: [ThemeName, string][] =
    [['auto', 'As the system'], ['light', 'Light'], ['dark', 'Dark']];
  const next = <T>(all: T[], now: T) => all[(all.indexOf(now) + 1) % all.length]!;
  return [
    ...palettes.map(([palette, label]): Command => ({
      id: `palette-${palette}`,
      label,
      kind: 'radio',
      group: 'Colours',
      checked: () => settings.now.palette === palette,
      run: () => settings.set({ palette }),
    })),
    ...themes.map(([theme, label]): Command => ({
      id: `theme-${theme}`,
      label,
      kind: 'radio',
      group: 'Theme',
      checked: () => settings.now.theme === theme,
      run: () => settings.set({ theme }),
    })),
    plain('Colours', 'next-palette', 'Other colours', 'c', () =>
      settings.set({ palette: next(['paper', 'safe'], settings.now.palette) })),
    plain('Theme', 'next-theme', 'Next theme', 'd', () =>
      settings.set({ theme: next(['auto', 'light', 'dark'], settings.now.theme) })),
  ];
}

export function keysCommand(commands: Commands): Command {
  return plain('Help', 'keys', 'Keys …', '?', () => openKeysDialog(commands));
}
