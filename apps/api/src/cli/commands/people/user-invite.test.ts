import { describe, expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const cli = useCommands();
const { run, json } = cli;

describe('counterfoil user invite', () => {
  it('queues one registration mail for a user, and says so [decisions.0.whole-users]', async () => {
    await json('reseller', 'add', '--id', '4100', '--name', 'Northline');
    const person = ['--email', 'Ada@Invite.example', '--name', 'Ada'];
    const { id } = await json<{ id: string }>('user', 'add', '--reseller', '4100', ...person);
    expect(await json('user', 'invite', '--email', 'ada@invite.example')).toEqual({
      email: 'ada@invite.example',
      invited: true,
    });
    await json('user', 'invite', '--email', 'ada@invite.example');
    const { rows } = await cli.database.pool().query(
      `select t.identifier as task, j.payload from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id`,
    );
    expect(rows).toEqual([{ task: 'registration-mail', payload: { userId: id } }]);
  });

  it('comes with user add --invite, which makes no password', async () => {
    const person = ['--reseller', '4100', '--email', 'eve@invite.example', '--name', 'Eve', '--invite'];
    expect(await run('user', 'add', ...person, '--password', 'harbour-lantern-47')).toMatchObject({
      code: 2,
    });
    const made = await json<{ id: string }>('user', 'add', ...person);
    expect(made).toEqual({ id: expect.any(String), email: 'eve@invite.example', invited: true });
    const { rows } = await cli.database.pool().query(
      `select u.password_hash, (select count(*)::int from graphile_worker._private_jobs j
          where j.payload ->> 'userId' = u.id::text) as mails from app_user u where u.id = $1`,
      [made.id],
    );
    expect(rows).toEqual([{ password_hash: null, mails: 1 }]);
  });

  it('refuses an unknown address and a user who is shut out', async () => {
    expect(await run('user', 'invite', '--email', 'nobody@invite.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no user'),
    });
    await json('user', 'disable', '--email', 'ada@invite.example');
    expect(await run('user', 'invite', '--email', 'ada@invite.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('shut out'),
    });
    expect(await run('user', 'invite')).toMatchObject({ code: 2 });
  });
});
