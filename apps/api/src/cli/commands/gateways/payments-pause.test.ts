import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const cli = useCommands();
const { run, json } = cli;

interface Doctor {
  readonly findings: readonly { readonly what: string; readonly is: string; readonly found: string }[];
}

it('payments are paused for all and resumed for one reseller, on record, and doctor says so', async () => {
  await json('migrate');
  const pool = cli.database.pool();
  for (const id of [4100, 4200]) {
    await pool.query('insert into reseller (id, name) values ($1, $2)', [id, `Reseller ${id}`]);
    await pool.query(
      `insert into gateway_account (id, reseller_id, gateway, config) values (gen_random_uuid(), $1, 'stripe', '{}')`,
      [id],
    );
  }
  expect(await run('payments', 'pause', '--note', 'restored')).toMatchObject({ code: 2 });
  expect(await run('payments', 'pause', '--since', '2999-01-01', '--note', 'restored')).toMatchObject({
    code: 2,
  });
  expect(await json('payments', 'pause', '--since', '2h', '--note', 'restored')).toMatchObject({
    accounts: 2,
  });
  const { out } = await run('doctor', '--json');
  const found = (JSON.parse(out) as Doctor).findings.filter(({ what }) => what.startsWith('payments of'));
  expect(found).toMatchObject([
    { what: 'payments of 4100', found: expect.stringContaining('off since a backup') },
    { what: 'payments of 4200' },
  ]);
  // As a worker does: a pause is looked into, and so is what is due of ended payments.
  const due = `insert into after_end_task (customer_id, attempt_id, task, gateway_account_id, ended_at, next_at)
    select gen_random_uuid(), gen_random_uuid(), 'recheck', id, now(), now() from gateway_account`;
  await pool.query('alter table after_end_task drop constraint after_end_task_customer_id_attempt_id_fkey');
  await pool.query(due);
  expect(await json('reconcile')).toMatchObject({ scanned: 0, rechecked: 2 });
  const { rows: paused } = await pool.query('select problem from payment_pause');
  expect(paused).toEqual(Array(2).fill({ problem: 'its settings cannot be opened' }));
  const resume = ['payments', 'resume', '--reseller', '4100', '--note', 'compared with the gateway'];
  expect(await json(...resume)).toEqual({ resumed: ['stripe'], left: 1 });
  expect(await run(...resume)).toMatchObject({ code: 1, err: expect.stringContaining('not paused') });
  const { rows } = await pool.query(
    "select action, reseller_id from audit_event where action like 'payments.%' order by at",
  );
  expect(rows).toEqual([
    { action: 'payments.paused', reseller_id: null },
    { action: 'payments.resumed', reseller_id: 4100 },
  ]);
});
