// SPDX-License-Identifier: MIT
// chdb_server.mjs CHDB DATA: answers as the HTTP interface of ClickHouse, with chDB, which has no
// server. CHDB is the folder of fetch-chdb, DATA one for the tables. Prints its port, and ends when
// standard input does.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

const [chdb, data] = process.argv.slice(2);
const library = createRequire(`${chdb}/package.json`)('@chdb/lib-linux-x64-gnu');
const connection = library.CreateConnection(data);
const ask = (sql, format) => library.QueryWithConnection(connection, sql, format);

// Settings that concern HTTP or a cluster.
const transport = new Set(['default_format', 'query', 'wait_end_of_query',
  'skip_unavailable_shards']);

function answer(parameters, body) {
  for (const [name, value] of parameters) {
    if (!transport.has(name)) ask(`SET ${name} = ${value}`, 'TabSeparated');
  }
  const sql = parameters.get('query');
  if (sql === null) return ask(body.toString(), parameters.get('default_format') ?? 'TabSeparated');
  // Rows that are not text.
  const rows = `${data}.rows`;
  writeFileSync(rows, body);
  return ask(sql.replace(/FORMAT \w+$/, `FROM INFILE '${rows}' $&`), 'TabSeparated');
}

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const parameters = new URL(request.url, 'http://localhost').searchParams;
    try {
      const text = answer(parameters, Buffer.concat(pieces));
      response.writeHead(200).end(text);
    } catch (error) {
      const text = error.message.slice(Math.max(error.message.indexOf('Code: '), 0));
      response.writeHead(500).end(text);
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// The library would end for minutes, and then abort, if it ever removed rows.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
