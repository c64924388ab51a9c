// SPDX-License-Identifier: MIT
// A snapshot embedded in the page: message 4, compressed with gzip, in base64.

export async function embeddedSnapshot(): Promise<ArrayBuffer | null> {
  const text = document.getElementById('snapshot')?.textContent;
  if (text === undefined || text === null) return null;
  const packed = Uint8Array.from(atob(text.replace(/\s+/g, '')), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
}
