// SPDX-License-Identifier: MIT
// Starts and stops physmem-view for a test.

import { spawn } from 'node:child_process';

export const program = process.env.PHYSMEM_VIEW;

/** Resolves when the program has printed its address. */
export async function startView(...args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const url = await new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no address after 180 s: ${output}`)), 180_000);
    const onData = (bytes) => {
      output += bytes;
      const found = /http:\/\/\S+/.exec(output);
      if (!found) return;
      clearTimeout(timer);
      done(found[0]);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('exit', (status) => fail(new Error(`ended with ${status}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    stop: () => new Promise((done) => {
      if (child.exitCode !== null) return done(child.exitCode);
      child.removeAllListeners('exit');
      child.on('exit', (status) => done(status));
      child.kill('SIGINT');
    }),
  };
}
