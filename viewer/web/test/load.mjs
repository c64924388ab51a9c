// SPDX-License-Identifier: MIT
// A module of src/ for node: bundled by what bundles the page, so that tests see what browsers get.

import { build } from 'esbuild';

export async function load(path) {
  const result = await build({
    entryPoints: [new URL(`../src/${path}`, import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    write: false,
    target: 'es2022',
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
