import type pg from 'pg';
import { isAsOwner } from './row-security/for-customer.ts';
import { type ActsFor, actingFor } from './row-security/role.ts';
import { atMostOne, exactlyOne } from './rows.ts';
import { type Ahead, type Answer, answered, BEGIN, type Statement, send } from './send.ts';
import { compile, type Sql, sql } from './sql.ts';

/** A statement that is asked, and not sent yet. */
interface Asked extends Omit<Statement, 'ahead'> {
  readonly query: Sql;
}

/** As `Tx` tells them. */
interface Calls {
  many<Row>(query: Sql<Row>): Promise<Row[]>;
  maybeOne<Row>(query: Sql<Row>): Promise<Row | undefined>;
  one<Row>(query: Sql<Row>): Promise<Row>;
  execute(query: Sql): Promise<number>;
  connection(): Promise<pg.PoolClient>;
}

/** A transaction on a connection. It begins with its first message, and acts for a customer from the first that needs it. */
export class OpenTransaction {
  /** What it can be asked. */
  readonly calls: Calls;
  readonly #client: pg.PoolClient;
  readonly #customer: ActsFor;
  readonly #begins: boolean;
  #hasBegun: boolean;
  #isOver = false;
  #actsFor: ActsFor;
  #asked: Asked[] = [];
  #isSending = false;

  /**
   * @param customer whose it is
   * @param begins whether its first statement begins it; else it has begun
   */
  constructor(client: pg.PoolClient, customer: ActsFor, begins: boolean) {
    this.#client = client;
    this.#customer = customer;
    this.#begins = begins;
    this.#hasBegun = !begins;
    this.calls = {
      connection: async () => {
        if (!this.#hasBegun || this.#actsFor !== customer) await this.#ask(sql`select`);
        return client;
      },
      many: async (query) => (await this.#ask(query)).rows as never,
      maybeOne: async (query) => atMostOne((await this.#ask(query)).rows) as never,
      one: async (query) => exactlyOne((await this.#ask(query)).rows) as never,
      execute: async (query) => (await this.#ask(query)).rowCount ?? 0,
    };
  }

  /** Takes nothing more: it is to be committed or rolled back. @returns whether it has begun */
  end(): boolean {
    this.#isOver = true;
    return this.#hasBegun;
  }

  #ask(query: Sql): Promise<Answer<unknown>> {
    const compiled = compile(query);
    return answered(compiled, ({ resolve, reject }) => {
      this.#asked.push({ query, compiled, resolve, reject });
      // What else is asked before anybody goes on comes with it. Not `queueMicrotask`, which keeps a scope for each call.
      if (this.#asked.length === 1 && !this.#isSending) void Promise.resolve().then(() => this.#send());
    });
  }

  #send(): void {
    const asked = this.#asked;
    this.#asked = [];
    if (this.#isOver) {
      for (const { reject } of asked) reject(new Error('a statement came after the end of its transaction'));
      return;
    }
    this.#isSending = true;
    this.#hasBegun = true;
    // By the connection's own word: where the message that was to begin it was refused, the next one does.
    const isOutside = this.#begins && this.#client.getTransactionStatus() === 'I';
    if (isOutside) this.#actsFor = undefined;
    const statements = asked.map(({ query, compiled, resolve, reject }, at) => {
      const role = this.#roleFor(query);
      return { compiled, ahead: isOutside && at === 0 ? [BEGIN, ...role] : role, resolve, reject };
    });
    send(this.#client, statements, () => {
      this.#isSending = false;
      if (this.#asked.length > 0) this.#send();
    });
  }

  /** What makes the statements from this one on see what it may. */
  #roleFor(query: Sql): readonly Ahead[] {
    const wanted = isAsOwner(query) ? undefined : this.#customer;
    if (wanted === this.#actsFor) return [];
    this.#actsFor = wanted;
    return [actingFor(wanted)];
  }
}
