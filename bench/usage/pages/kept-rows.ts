import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** What a plain statement gave, and how long it took, milliseconds. */
export interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly ms: number;
}

type Known = Record<string, Answer<Record<string, unknown>>>;

/** What the answers depend on; another state asks again. */
const STATE = `
  select concat_ws('/', (select sum(hashint8extended(version, month - date '2000-01-01')) from usage_version),
                   (select sum(version) from service_item_version), (select count(*) from usage_billed)) as state`;

/**
 * Runs plain statements that take seconds each, and keeps what they gave beside the database, as long as nothing in it
 * has changed.
 */
export class PlainAnswers {
  readonly #client: pg.Client;
  readonly #file: string;
  readonly #state: string;
  readonly #known: Known;

  private constructor(client: pg.Client, file: string, state: string, known: Known) {
    this.#client = client;
    this.#file = file;
    this.#state = state;
    this.#known = known;
  }

  static async open(client: pg.Client, dataDir: string): Promise<PlainAnswers> {
    const { rows } = await client.query<{ state: string }>(STATE);
    const state = rows[0]?.state ?? '';
    const file = join(dataDir, 'plain-answers.json');
    const none = { state: '', known: {} };
    const kept: { state: string; known: Known } = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : none;
    return new PlainAnswers(client, file, state, kept.state === state ? kept.known : {});
  }

  async ask<Row extends object>(query: string): Promise<Answer<Row>> {
    const name = createHash('sha256').update(query).digest('base64url');
    const known = this.#known[name];
    if (known !== undefined) return known as unknown as Answer<Row>;
    const begun = performance.now();
    const { rows } = await this.#client.query<Record<string, unknown>>(query);
    const ms = performance.now() - begun;
    // As it will be read the next time: instants as text.
    const answer = JSON.parse(JSON.stringify({ rows, ms })) as Answer<Record<string, unknown>>;
    this.#known[name] = answer;
    writeFileSync(this.#file, JSON.stringify({ state: this.#state, known: this.#known }));
    return answer as unknown as Answer<Row>;
  }
}
