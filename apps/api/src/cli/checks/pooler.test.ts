import { createServer, type Socket } from 'node:net';
import { useDatabase } from '@counterfoil/testing/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { poolerFinding } from './pooler.ts';

const database = useDatabase();
const pooler = createServer((client) => void serve(client).catch(() => client.destroy()));
let pooled: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const address = pooler.address();
  pooled = `postgres://somebody@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/any`;
});

afterAll(async () => {
  for (const session of sessions) await session.end();
  pooler.close();
});

it('finds nothing where a connection is a session', async () => {
  expect(await poolerFinding(database.url)).toBeUndefined();
});

it('finds a pooler that hands sessions on between transactions', async () => {
  expect(await poolerFinding(pooled)).toMatchObject({ is: 'fault', what: 'database connections' });
});

it('leaves a database that does not answer to other checks', async () => {
  expect(await poolerFinding('postgres://somebody@127.0.0.1:1/any')).toBeUndefined();
});

/** Sessions of the pooler, and those that are free: the one that was used last is taken first. */
const sessions: pg.Client[] = [];
const free: pg.Client[] = [];

/** Answers simple queries, each transaction by a session that is free. */
async function serve(client: Socket): Promise<void> {
  let own: pg.Client | undefined;
  const ready = (state: string) => message('Z', Buffer.from(state));
  let isBegun = false;
  for await (const chunk of client as AsyncIterable<Buffer>) {
    if (!isBegun) {
      isBegun = true;
      client.write(Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), ready('I')]));
      continue;
    }
    if (chunk.toString('latin1', 0, 1) !== 'Q') break;
    const text = chunk.toString('utf8', 5, chunk.length - 1);
    own ??= free.pop() ?? (await open());
    const { rows, command } = await own.query<Record<string, unknown>>(text);
    const isInTransaction = command === 'BEGIN';
    const [row] = rows;
    const answer = row === undefined ? [] : rowMessages(row);
    if (!isInTransaction) {
      free.push(own);
      own = undefined;
    }
    client.write(
      Buffer.concat([
        ...answer,
        message('C', Buffer.from(`${command}\0`)),
        ready(isInTransaction ? 'T' : 'I'),
      ]),
    );
  }
  client.end();
}

async function open(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: database.url });
  sessions.push(session);
  await session.connect();
  return session;
}

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** One row of one column of text. */
function rowMessages(row: Readonly<Record<string, unknown>>): Buffer[] {
  const [[name, value] = ['', null]] = Object.entries(row);
  const about = Buffer.alloc(18);
  about.writeInt32BE(25, 6);
  about.writeInt16BE(-1, 10);
  const count = Buffer.from([0, 1]);
  const text = Buffer.from(String(value ?? ''));
  const size = Buffer.alloc(4);
  size.writeInt32BE(value === null ? -1 : text.length);
  return [
    message('T', Buffer.concat([count, Buffer.from(`${name}\0`), about])),
    message('D', Buffer.concat([count, size, value === null ? Buffer.alloc(0) : text])),
  ];
}
