// SPDX-License-Identifier: MIT
// Bundles src/ into one page without references to anything else: node build.mjs [OUT_FOLDER].
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: ['es2022'],
    legalComments: 'inline',
    write: false,
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

// The hash in the policy covers exactly the bytes between the tags.
const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

// Licences of bundled libraries, from their own files, because minified code keeps only marked
// comments.
function notice() {
  const licence = readFileSync(join(here, 'node_modules/uplot/LICENSE'), 'utf8').trim();
  return `/*! uPlot, bundled here:\n${licence}\n*/\n`;
}

function policy(script, style) {
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const script = `\n${notice()}${(await bundle('main.ts')).replaceAll('</script', '<\\/script')}`;
const style = `\n${await bundle('style/page.css')}`;
const parts = { POLICY: policy(script, style), STYLE: style, SCRIPT: script };
const template = readFileSync(join(here, 'src/page.html'), 'utf8');
const page = template.replace(/%(POLICY|STYLE|SCRIPT)%/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'page.html'), page);
