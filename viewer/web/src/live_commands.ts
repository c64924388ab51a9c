// SPDX-License-Identifier: MIT
// The commands of the live page.

import type { Settings } from './model/settings.ts';
import { HOLD_CHOICES_MS } from './model/settings.ts';
import type { Session } from './model/session.ts';
import type { Command, Commands } from './shell/commands.ts';
import { BARS, appearance, keysCommand, toggles } from './shell/page_commands.ts';
import type { TimeBar } from './shell/time_bar.ts';
import type { PagesView } from './views/pages.ts';

export function liveCommands(
  commands: Commands, settings: Settings, session: Session, time: TimeBar, pages: PagesView
): void {
  const isReplay = () => session.hello?.mode === 'replay';
  commands.add(
    ...toggles(
      settings, 'Views',
      [
        ['log', 'Log', '1'],
        ['pages', 'Page activity', '2'],
        ['inspector', 'Data inspector', '3'],
        ['processes', 'Processes', '4'],
        ['slots', 'Sectors', '5'],
        ['statistics', 'Statistics', '6'],
      ]
    ),
    ...toggles(settings, 'Bars', BARS),
    {
      id: 'block',
      label: 'Configuration: beginning page …',
      key: 'g',
      keyLabel: 'g',
      kind: 'plain',
      group: 'Block',
      run: () => pages.configure(),
    },
    {
      id: 'block-before',
      label: 'Previous block',
      key: '[',
      keyLabel: '[',
      kind: 'plain',
      group: 'Block',
      run: () => pages.turn(-1),
    },
    {
      id: 'block-after',
      label: 'Next block',
      key: ']',
      keyLabel: ']',
      kind: 'plain',
      group: 'Block',
      run: () => pages.turn(1),
    },
    {
      id: 'follow',
      label: 'Follow the busiest block',
      key: 'f',
      keyLabel: 'f',
      kind: 'check',
      group: 'Block',
      checked: () => session.following,
      run: () => (session.following = !session.following),
    },
    ...holds(settings),
    {
      id: 'hold',
      label: 'Hold the picture',
      key: ' ',
      keyLabel: 'Space',
      kind: 'check',
      group: 'Time',
      checked: () => session.cursor !== 'live' && !session.playing,
      run: () => time.toggle(),
    },
    {
      id: 'step-back',
      label: 'A second back',
      key: ',',
      keyLabel: ',',
      kind: 'plain',
      group: 'Time',
      run: () => time.step(-1),
    },
    {
      id: 'step-on',
      label: 'A second on',
      key: '.',
      keyLabel: '.',
      kind: 'plain',
      group: 'Time',
      run: () => time.step(1),
    },
    {
      id: 'live',
      label: 'Live',
      key: 'l',
      keyLabel: 'l',
      kind: 'plain',
      group: 'Time',
      enabled: () => session.cursor !== 'live',
      run: () => session.setCursor('live'),
    },
    {
      id: 'replay-pause',
      label: 'Pause the replay',
      key: 'p',
      keyLabel: 'p',
      kind: 'check',
      group: 'Time',
      enabled: isReplay,
      checked: () => session.hello?.replay?.paused ?? false,
      run: () => time.pauseReplay(),
    },
    ...appearance(settings),
    keysCommand(commands),
  );
}

function holds(settings: Settings): Command[] {
  return HOLD_CHOICES_MS.map((holdMs) => ({
    id: `hold-${holdMs}`,
    label: `Blue and red stay for ${holdMs / 1000}\u2009s`,
    kind: 'radio',
    group: 'Block',
    checked: () => settings.now.holdMs === holdMs,
    run: () => settings.set({ holdMs }),
  }));
}
