import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { csvText } from '../../apps/api/src/db/copy/csv-text.ts';
import { compile, sql } from '../../apps/api/src/db/sql.ts';

/** Of the machine. */
const PSQL = 'psql';

export interface Range {
  /** First and last day, 'YYYY-MM-DD'. */
  readonly from: string;
  readonly to: string;
}

/** How a file was read. */
export interface FileRead {
  /** Until the last byte. */
  readonly ms: number;
  readonly firstByteMs: number;
  readonly bytes: number;
  /** Only where asked for. */
  readonly lines: number;
}

/** Reads to the end and throws it away. */
async function readAll(stream: Readable, start: number, counts: boolean): Promise<FileRead> {
  let firstByteMs = 0;
  let bytes = 0;
  let lines = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - start;
    bytes += piece.length;
    if (counts) for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  }
  return { ms: performance.now() - start, firstByteMs, bytes, lines };
}

/** The file through HTTP. @throws {Error} when it is refused or broken off */
export async function downloadFile(options: {
  readonly port: number;
  readonly token: string;
  readonly range: Range;
  readonly counts?: boolean;
}): Promise<FileRead> {
  const { port, token, range, counts = false } = options;
  const start = performance.now();
  const asking = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/v1/ec/usage/download',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      host: 'bench.localhost',
    },
  });
  const parameters = { startDate: `${range.from} 00:00:00`, endDate: `${range.to} 23:59:59` };
  asking.end(JSON.stringify({ parameters }));
  const [answer] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the download answered ${answer.statusCode}`);
  return readAll(answer, start, counts);
}

const dayAfter = (day: string): string =>
  new Date(new Date(`${day}T00:00:00Z`).getTime() + 86_400_000).toISOString().slice(0, 10);

/** The same cells by `\copy … to stdout` of the psql on this machine, into a pipe that is read as ours is. */
export async function copyWithPsql(
  url: string,
  options: {
    readonly customerId: string;
    readonly range: Range;
    /** Texts are quoted, and get an apostrophe where they begin as a formula, as ours do. */
    readonly neutralised: boolean;
    readonly counts?: boolean;
  },
): Promise<FileRead> {
  const { customerId, range, neutralised, counts = false } = options;
  const cell = (text: string) =>
    neutralised ? compile(csvText(sql.raw(text))).text.replaceAll(/\s+/g, ' ') : text;
  const select = [
    `select replace((u.started_at at time zone 'UTC')::text, ' ', 'T') || 'Z' as c1, ${cell('si.name')} as c2,`,
    `${cell('si.description')} as c3, ${cell('u.service_item2')} as c4, ${cell('u.service_item3')} as c5,`,
    `${cell('si.site')} as c6, u.units, case when u.has_price then u.price end, ${cell('r.description')} as c7,`,
    `${cell('si.cost_centre')} as c8 from usage_record u`,
    'join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id',
    `join record_type r on r.id = u.record_type_id where u.customer_id = '${customerId}'`,
    `and u.started_at >= '${range.from} 00:00:00+00' and u.started_at < '${dayAfter(range.to)} 00:00:00+00'`,
    'order by u.started_at, u.id',
  ].join(' ');
  const format = `format csv${neutralised ? ', force_quote (c1, c2, c3, c4, c5, c6, c7, c8)' : ''}`;
  const start = performance.now();
  const child = spawn(PSQL, ['-X', '-q', '-c', `\\copy (${select}) to stdout (${format})`, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const read = await readAll(child.stdout, start, counts);
  const [code] = await ended;
  if (code !== 0) throw new Error(`psql ended with ${code}`);
  return read;
}
