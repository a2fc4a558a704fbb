import { createHash } from 'node:crypto';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { RejectedLine, RejectedRow } from '../usage/row.ts';

/** At most this many rows of a file are kept as they stand: a ruined file, or one of another provider, fills no disk. */
export const MAX_KEPT = 100_000;
/** What is longer is not kept, in bytes. */
const MAX_RECORD_BYTES = 8_192;

/**
 * The rows of a file that can be tried again, put aside in the temporary table `usage_aside` of its connection while the
 * file is read.
 */
export class Asides {
  readonly #format: 'csv' | 'ndjson';
  #room = MAX_KEPT;

  constructor(format: 'csv' | 'ndjson') {
    this.#format = format;
  }

  async create(tx: Tx): Promise<void> {
    await tx.execute(sql`drop table if exists usage_aside`);
    await tx.execute(sql`
      create temporary table usage_aside (
        line int not null, key_hash bytea, record bytea, cause text not null, reason text not null, missing text[] not null)`);
  }

  async add(tx: Tx, rejected: readonly (RejectedLine | RejectedRow)[]): Promise<void> {
    if (rejected.length === 0 || this.#room === 0) return;
    const rows = rejected.slice(0, this.#room).map((one) => {
      const { line, cause, reason } = one;
      if (!('fields' in one)) return { line, cause, reason, missing: [] };
      const record = Buffer.from(textOf(one.fields, this.#format));
      const isKept = record.length <= MAX_RECORD_BYTES;
      return {
        line,
        cause,
        reason,
        missing: one.missing,
        key: one.key === null ? null : createHash('sha256').update(one.key).digest('hex'),
        record: isKept ? record.toString('hex') : null,
      };
    });
    this.#room -= rows.length;
    await tx.execute(sql`
      insert into usage_aside (line, key_hash, record, cause, reason, missing)
      select line, decode(key, 'hex'), decode(record, 'hex'), cause, reason,
             array(select jsonb_array_elements_text(missing))
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as a(line int, key text, record text, cause text, reason text, missing jsonb)`);
  }
}

/** A row as it is kept: the values of a CSV row as a JSON list, of NDJSON its line. */
const textOf = (fields: readonly string[], format: 'csv' | 'ndjson'): string =>
  format === 'csv' ? JSON.stringify(fields) : (fields.at(-1) ?? '');
