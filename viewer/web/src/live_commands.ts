// SPDX-License-Identifier: MIT
// The commands of the live page.

import type { Settings } from './model/settings.ts';
import { HOLD_CHOICES_MS } from './model/settings.ts';
import type { Session } from './model/session.ts';
import { check, plain, type Command, type Commands } from './shell/commands.ts';
import { BARS, appearance, keysCommand, toggles } from './shell/page_commands.ts';
import type { TimeBar } from './shell/time_bar.ts';
import type { PagesView } from './views/move_views.ts';

export function liveCommands(
  commands: Commands, settings: Settings, session: Session, time: TimeBar, pages: PagesView
): void {
  commands.add(
    ...toggles(
      settings, 'Views',
      [
        ['log', 'Log', '1'], ['pages', 'Page activity', '2'], ['inspector', 'Data inspector', '3'],
        ['processes', 'Processes', '4'], ['slots', 'Sectors', '5'],
        ['statistics', 'Statistics', '6'],
      ]
    ),
    ...toggles(settings, 'Bars', BARS),
    ...blockCommands(session, pages),
    ...holds(settings),
    ...timeCommands(session, time),
    ...appearance(settings),
    keysCommand(commands),
  );
}

function blockCommands(session: Session, pages: PagesView): Command[] {
  const follow = () => (session.following = !session.following);
  return [
    plain('Block', 'block', 'Configuration: beginning page …', 'g', () => pages.configure()),
    plain('Block', 'block-before', 'Previous block', '[', () => pages.turn(-1)),
    plain('Block', 'block-after', 'Next block', ']', () => pages.turn(1)),
    check('Block', 'follow', 'Follow the busiest block', 'f', () => session.following, follow),
  ];
}

function timeCommands(session: Session, time: TimeBar): Command[] {
  const isHeld = () => session.cursor !== 'live' && !session.playing;
  const isPaused = () => session.hello?.replay?.paused ?? false;
  const isReplay = () => session.hello?.mode === 'replay';
  const goLive = () => session.setCursor('live');
  return [
    check('Time', 'hold', 'Hold the picture', ' ', isHeld, () => time.toggle()),
    plain('Time', 'step-back', 'A second back', ',', () => time.step(-1)),
    plain('Time', 'step-on', 'A second on', '.', () => time.step(1)),
    plain('Time', 'live', 'Live', 'l', goLive, () => session.cursor !== 'live'),
    {
      ...check('Time', 'replay-pause', 'Pause the replay', 'p', isPaused, () => time.pauseReplay()),
      enabled: isReplay,
    },
  ];
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
