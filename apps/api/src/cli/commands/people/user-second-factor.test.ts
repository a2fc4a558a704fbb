import { describe, expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const cli = useCommands();
const { run, json } = cli;
const email = 'ada@factor.example';
describe('counterfoil user second-factor', () => {
  it('shows and removes what a user has lost, ends sessions, queues the mail, and is in the audit trail', async () => {
    await json('reseller', 'add', '--id', '4300', '--name', 'Northline');
    const person = ['--reseller', '4300', '--email', email, '--name', 'Ada'];
    const { id } = await json<{ id: string }>('user', 'add', ...person);
    const pool = cli.database.pool();
    await pool.query(
      `insert into second_factor (user_id, created_at, secret, confirmed_at) values ($1, now(), '\\x01', now())`,
      [id],
    );
    await pool.query("insert into recovery_code (user_id, hash, created_at) values ($1, '\\x02', now())", [
      id,
    ]);
    await pool.query(
      `insert into user_session (id, user_id, created_at, last_used_at, expires_at)
       values ($1, $1, now(), now(), now() + interval '1 day')`,
      [id],
    );
    expect(await json('user', 'second-factor', '--email', email)).toMatchObject({
      email,
      isOn: true,
      recoveryCodesLeft: 1,
      isRequired: false,
    });
    expect(await json('user', 'second-factor', '--email', email, '--remove')).toMatchObject({
      isOn: false,
      removed: true,
    });
    const { rows } = await pool.query(
      `select (select count(*)::int from second_factor) + (select count(*)::int from recovery_code) as left,
              (select end_reason from user_session) as ended,
              (select j.payload ->> 'event' from graphile_worker._private_jobs j
                 join graphile_worker._private_tasks t on t.id = j.task_id
                where t.identifier = 'second-factor-mail') as told,
              (select count(*)::int from audit_event
                where action = 'secondFactor.removed' and user_id = $1 and actor like 'cli:%') as audited`,
      [id],
    );
    expect(rows).toEqual([{ left: 0, ended: 'factor', told: 'removed', audited: 1 }]);
  });

  it('changes nothing for a user without one, and refuses an unknown address', async () => {
    expect(await run('user', 'second-factor', '--email', email, '--remove')).toMatchObject({
      code: 0,
      out: `${email} has no second factor; nothing was changed.`,
    });
    expect(await run('user', 'second-factor', '--email', 'nobody@factor.example')).toMatchObject({ code: 1 });
    expect(await run('user', 'second-factor')).toMatchObject({ code: 2 });
  });
});
