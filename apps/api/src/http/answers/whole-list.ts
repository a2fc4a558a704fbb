import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { readSnapshot } from '../../db/cursor.ts';
import type { Database, Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { Slots } from '../../limits/slots.ts';
import { elementWriter } from '../requests/declared-only.ts';
import { ExportBody } from './export-body.ts';

/** A list of at most so many rows is answered as one text. */
export const FEW_ROWS = 1_000;
/** Rows that are mapped and written before others have their turn: a few milliseconds. */
const BATCH_ROWS = 500;
/** How often a place is looked for before the list is refused. */
const LOOKS = 50;
const LOOK_EVERY_MS = 100;

export interface ListDeps {
  readonly db: Database;
  /** Where long reads go. */
  readonly exports: Database;
  readonly slots: Slots;
}

/** Places for long lists: each takes a connection of the pool for as long as its reader reads. */
export const listSlots = (): Slots =>
  new Slots({ atOnce: 3, each: 2, tooManyOfOne: 'list.tooMany', tooManyOfAll: 'server.exporting' });

/** An answer with a long list in it. */
export interface ListAnswer<Row> {
  readonly rows: Sql<Row>;
  /** An element as JSON. */
  readonly write: (row: Row) => string;
  /** What stands before the first element. */
  readonly head: string;
  /** What stands after the last; asked for when all are written. */
  readonly tail: string | (() => string);
}

/** All rows of an ordered statement where they are few; undefined: there are more. */
export async function fewRows<Row>(db: Db, rows: Sql<Row>, most = FEW_ROWS): Promise<Row[] | undefined> {
  const some = await db.many<Row>(sql`${rows} limit ${most + 1}`);
  return some.length > most ? undefined : some;
}

/**
 * Answers with a whole list as `{"data": […]}`: at once where it is short, else row by row.
 * @param list an ordered statement, what becomes of a row, and the schema of that
 * @throws {AppError} list.tooMany, server.exporting
 */
export async function answerWhole<Row, Item>(
  deps: ListDeps,
  reply: FastifyReply,
  whose: string,
  list: { readonly rows: Sql<Row>; readonly present: (row: Row) => Item; readonly item: z.ZodMiniType },
): Promise<{ data: Item[] } | FastifyReply> {
  const few = await fewRows(deps.db, list.rows);
  if (few !== undefined) return { data: few.map(list.present) };
  const write = elementWriter(list.item);
  const answer = {
    rows: list.rows,
    write: (row: Row) => write(list.present(row)),
    head: '{"data":[',
    tail: ']}',
  };
  return streamList(deps, reply, whose, answer);
}

/**
 * Answers row by row, of one moment of the database and no faster than it is read. What goes wrong before the first rows are
 * there is answered as a refusal; what goes wrong later breaks the connection off, so that no half answer passes for a whole one.
 * @throws {AppError} list.tooMany, server.exporting
 */
export async function streamList<Row>(
  { exports, slots }: ListDeps,
  reply: FastifyReply,
  whose: string,
  answer: ListAnswer<Row>,
): Promise<FastifyReply> {
  const release = await placeIn(slots, whose);
  const body = new ExportBody(answer.head);
  reply.raw.once('close', () => body.destroy());
  const opened = Promise.withResolvers<void>();
  const write = async (text: string) => {
    opened.resolve();
    await body.write({ pieces: [Buffer.from(text)], free: () => undefined });
  };
  readSnapshot(exports, async (snapshot) => {
    for await (const text of batches(snapshot.stream(answer.rows), answer.write)) await write(text);
  })
    .finally(release)
    .then(() => {
      opened.resolve();
      return body.finish(typeof answer.tail === 'string' ? answer.tail : answer.tail());
    })
    .catch((error: Error) => {
      opened.reject(error);
      body.destroy(error);
    });
  await opened.promise;
  return reply.type('application/json; charset=utf-8').send(body);
}

/** Places are free again soon: whoever asks for some lists at once need not ask again. */
async function placeIn(slots: Slots, whose: string): Promise<() => void> {
  for (let looks = LOOKS; looks > 0; looks -= 1) {
    try {
      return slots.take(whose);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await sleep(LOOK_EVERY_MS);
    }
  }
  return slots.take(whose);
}

/** Elements with the commas between them, some hundreds at a time. */
async function* batches<Row>(rows: AsyncIterable<Row>, write: (row: Row) => string): AsyncIterable<string> {
  let texts: string[] = [];
  let before = '';
  for await (const row of rows) {
    texts.push(write(row));
    if (texts.length < BATCH_ROWS) continue;
    yield before + texts.join(',');
    [texts, before] = [[], ','];
  }
  if (texts.length > 0) yield before + texts.join(',');
}
