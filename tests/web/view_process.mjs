// SPDX-License-Identifier: MIT
// physmem-view, started and ended by a test.

import { spawn } from 'node:child_process';

export const program = process.env.PHYSMEM_VIEW;

/** Resolves with the address that it prints. */
export async function startView(...args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no address after 180 s: ${said}`)), 180_000);
    const hear = (bytes) => {
      said += bytes;
      const found = /http:\/\/\S+/.exec(said);
      if (!found) return;
      clearTimeout(timer);
      done(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (status) => fail(new Error(`ended with ${status}: ${said}`)));
  });
  return {
    url,
    said: () => said,
    stop: () => new Promise((done) => {
      if (child.exitCode !== null) return done(child.exitCode);
      child.removeAllListeners('exit');
      child.on('exit', (status) => done(status));
      child.kill('SIGINT');
    }),
  };
}
