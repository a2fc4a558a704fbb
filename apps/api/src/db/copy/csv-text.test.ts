import { text } from 'node:stream/consumers';
import { csvRow } from '@counterfoil/domain/text/csv.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import * as fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { compile, sql } from '../sql.ts';
import { copyOut } from './copy-out.ts';
import { csvText } from './csv-text.ts';

const database = useDatabase();

/** What PostgreSQL writes for texts of a query `t (at, value)`. */
async function copied(query: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const cell = compile(csvText(sql`t.value`)).text;
    const statement = `copy (select ${cell} as cell, t.at from (${query}) t order by t.at) to stdout (format csv, force_quote (cell))`;
    return await text(copyOut(client, statement));
  } finally {
    await client.end();
  }
}

/** What the server writes for them, with the line ends of PostgreSQL. */
const written = (values: readonly (string | null)[]): string =>
  values.map((value, at) => csvRow([value, at + 1]).replace(/\r\n$/, '\n')).join('');

const listed = (values: readonly (string | null)[]): string => {
  const list = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(value))).join(',');
  return `select at, value from unnest(array[${list}]::text[]) with ordinality as u (value, at)`;
};

describe('a text as a cell', () => {
  it('is the same from the database as from the server', async () => {
    const unit = fc.oneof(
      fc.constantFrom(...'=+-@＝＋－＠\t\r\n \u00a0\ufeff\u200b\u2028\u3000",;\'a1é−|'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((one) => one !== '\0'),
    );
    const value = fc.option(fc.string({ unit, maxLength: 6 }), { freq: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 500, maxLength: 500 }), async (values) => {
        expect(await copied(listed(values))).toBe(written(values));
      }),
      { numRuns: 10 },
    );
  });

  it.each(['', 'x', '=1', ' ＋1'])('is so whatever character stands before %j', async (rest) => {
    const codes = Array.from({ length: 0xffff }, (_, at) => at + 1).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    );
    const query = `select row_number() over (order by code) as at, chr(code) || ${pg.escapeLiteral(rest)} as value
      from generate_series(1, 65535) code where code not between 55296 and 57343`;
    const lines = written(codes.map((code) => String.fromCharCode(code) + rest));
    // Not as one expectation of texts: a difference of megabytes is nothing to read.
    expect((await copied(query)) === lines).toBe(true);
  });
});
