import { newId } from '@counterfoil/domain/text/ids.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import pg from 'pg';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsBefore } from '../fixtures/earlier-migrations.ts';

const database = useDatabase();

it('payments, refunds and setups of before 0041 stand in the words of today, open ones open', async () => {
  const url = await database.emptyBeside();
  await migrate(url, await migrationsBefore('0041'));
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const [customer, session, refund, charge] = [newId(), newId(), newId(), newId()];
    await pool.query(`set session_replication_role = replica`);
    await pool.query(
      `insert into pay_session (customer_id, id, reseller_id, origin, public_id, currency, total_minor, quote_digest,
         created_at)
       values ($1, $2, 1, 'public', 'p', 'USD', 100, 'x', now())`,
      [customer, session],
    );
    for (const [id, direction, state, ref, labels] of [
      [charge, 'charge', 'held', 'C1', '{}'],
      [refund, 'giveBack', 'succeeded', 'R1', '{"givenBefore": "500"}'],
    ])
      await pool.query(
        `insert into attempt (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
           request_digest, kind, initiator, currency, amount_minor, state, labels, bag_sealed, return_to, asks, asked_at,
           next_ask_at, sent_at, last_sent_at, updated_at)
         values ($1, $2, $3, 1, $3, 'stripe', $4, $5, 'x', 'card', 'customer', 'USD', 100, $6, $7, 'sealed', '',
           '{"scan": 2}', '{"scan": "2026-01-01"}', now(), now(), now(), now())`,
        [customer, id, session, direction, ref, state, labels],
      );
    await pool.query(
      `insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, at)
       values ($1, $2, 1, 'unknown', 'held', 'reconciler', now())`,
      [customer, charge],
    );
    await pool.query(
      `insert into method_saving (customer_id, id, gateway_account_id, ref, by, kind, scheme, state, person, return_to, asks,
         created_at, updated_at)
       values ($1, $2, $2, '000000000000000001', 'token', 'card', 'card', 'unknown', '{}', '', 3, now(), now())`,
      [customer, newId()],
    );
    await pool.query(
      `insert into gateway_object (gateway_account_id, remote, customer_id, about)
       values ($1, 'x', $2, 'saving')`,
      [session, customer],
    );
    await migrate(url);
    const kept = { isKept: true, lookups: { scan: 2 }, looked_up_at: { scan: '2026-01-01' }, waits: true };
    const read = async (text: string) => (await pool.query(text)).rows;
    expect(
      await read(`select ref, direction, state, is_open, labels, gateway_state_sealed = 'sealed' as "isKept", lookups,
        looked_up_at, next_lookup_at is not null as waits from attempt order by ref`),
    ).toEqual([
      { ...kept, ref: 'C1', direction: 'charge', state: 'needsReview', is_open: true, labels: {} },
      {
        ...kept,
        ref: 'R1',
        direction: 'refund',
        state: 'succeeded',
        is_open: false,
        labels: { refundedBefore: '500' },
      },
    ]);
    expect(await read('select from_state, to_state from transition')).toEqual([
      { from_state: 'unknown', to_state: 'needsReview' },
    ]);
    expect(await read('select state, is_open, lookups from method_setup')).toEqual([
      { state: 'unknown', is_open: true, lookups: 3 },
    ]);
    expect(await read('select about from gateway_object')).toEqual([{ about: 'setup' }]);
    // One open attempt of a session, as before.
    await expect(pool.query(`update attempt set state = 'unknown' where ref = 'R1'`)).rejects.toThrow(
      'attempt_one_open_per_session',
    );
  } finally {
    await pool.end();
  }
});
