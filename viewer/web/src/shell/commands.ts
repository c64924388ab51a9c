// SPDX-License-Identifier: MIT
// The list of all commands, from which menus, buttons, keys and the list of keys are created.

export interface Command {
  id: string;
  label: string;
  /** The value of KeyboardEvent.key. */
  key?: string;
  kind: 'check' | 'radio' | 'plain';
  /** Menus show the commands of a group together, under its name. */
  group: string;
  checked?: () => boolean;
  enabled?: () => boolean;
  run: () => void;
}

/** The text shown for its key; empty: it has none. */
export function keyLabel({ key }: Command): string {
  return key === ' ' ? 'Space' : key ?? '';
}

export function plain(
  group: string, id: string, label: string, key: string, run: () => void, enabled?: () => boolean
): Command {
  return { id, label, key, kind: 'plain', group, run, ...(enabled ? { enabled } : {}) };
}

export function check(
  group: string, id: string, label: string, key: string, checked: () => boolean, run: () => void
): Command {
  return { id, label, key, kind: 'check', group, checked, run };
}

export class Commands {
  readonly all: Command[] = [];

  add(...commands: Command[]): void {
    this.all.push(...commands);
  }

  find(id: string): Command {
    const found = this.all.find((command) => command.id === id);
    if (!found) throw new Error(`no command "${id}"`);
    return found;
  }

  run(id: string): void {
    const command = this.find(id);
    if (command.enabled?.() ?? true) command.run();
  }

  /** Handles keys without Ctrl or Alt, unless the user is typing. */
  listen(target: HTMLElement, signal: AbortSignal): void {
    target.addEventListener('keydown', (event) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || isModified || isWriting(event)) return;
      const command = this.all.find((one) => one.key === event.key);
      if (!command || !(command.enabled?.() ?? true)) return;
      event.preventDefault();
      command.run();
    }, { signal });
  }
}

/** Space and Enter belong to the focused button, letters to a text field. */
function isWriting(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== 'range' || event.key.startsWith('Arrow');
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  return event.key === ' ' &&
    target.closest('button, summary, a, [role="menuitem"], [role="row"]') !== null;
}
