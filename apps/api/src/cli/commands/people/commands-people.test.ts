import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const cli = useCommands();
const { run, json, database } = cli;

describe('customers, users and gateways', () => {
  it('refuse what does not belong together [decisions.0.whole-users, decisions.4.one-reseller, decisions.4.user-name-unique, decisions.4.user-name-case]', async () => {
    await json('reseller', 'add', '--id', '4103', '--name', 'People');
    await json('reseller', 'add', '--id', '4104', '--name', 'Others');
    const add = [
      'customer',
      'add',
      '--reseller',
      '4103',
      '--label',
      'Harbour Office',
      '--ref',
      'C-1',
      '--endpoint',
      '0088:730001',
    ];
    const { id } = await json<{ id: string }>(...add);
    expect(await json(...add)).toMatchObject({ id, added: 'unchanged' });
    expect(
      await run('customer', 'add', '--reseller', '4103', '--label', 'Copy', '--endpoint', '0088:730001'),
    ).toMatchObject({ code: 1, err: expect.stringContaining('known by endpoint') });
    expect(await run('customer', 'add', '--reseller', '9999', '--label', 'X')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no reseller 9999'),
    });
    const made = await json<{ password: string }>(
      'user',
      'add',
      '--reseller',
      '4103',
      '--email',
      'Mia@People.Example',
      '--name',
      'Mia',
      '--customer',
      id,
    );
    expect(made.password).toHaveLength(22);
    expect(
      await run('user', 'add', '--reseller', '4103', '--email', 'mia@people.example', '--name', 'Mia'),
    ).toMatchObject({ code: 1, err: expect.stringContaining('already') });
    expect(
      await run(
        'user',
        'add',
        '--reseller',
        '4104',
        '--email',
        'x@people.example',
        '--name',
        'X',
        '--customer',
        id,
      ),
    ).toMatchObject({ code: 1, err: expect.stringContaining('no customer') });
    expect(await run('user', 'password', '--email', 'mia@people.example', '--password', 'abc')).toMatchObject(
      { code: 1, err: expect.stringContaining('6 to 256') },
    );
    expect(
      await run('user', 'member', '--email', 'mia@people.example', '--customer', 'nonsense'),
    ).toMatchObject({ code: 1, err: expect.stringContaining('there is no customer nonsense') });
    // The provider's own reference names a customer as well as our id.
    await json('user', 'member', '--email', 'mia@people.example', '--remove', 'C-1');
    await json('user', 'disable', '--email', 'mia@people.example');
    const { users } = await json<{ users: object[] }>('user', 'list', '--reseller', '4103');
    expect(users).toMatchObject([{ email: 'mia@people.example', is_active: false, customer_ids: [] }]);
  });

  it('stores keys encrypted and shows none [decisions.0.whole-keys]', async () => {
    await json('reseller', 'add', '--id', '4105', '--name', 'Keys');
    const key = join(cli.folder, 'key');
    await writeFile(key, 'sk_test_aKeyInAFile\n');
    const set = ['gateway', 'set', '--reseller', '4105', '--gateway', 'stripe'];
    expect(await run(...set, '--set', 'publishableKey=pk_test_x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('secretKey'),
    });
    expect(await run(...set, '--set', 'secretKey=wrong')).toMatchObject({
      code: 1,
      err: expect.not.stringContaining('wrong'),
    });
    const { id } = await json<{ id: string }>(
      ...set,
      '--set',
      'publishableKey=pk_test_x',
      '--set',
      `secretKey=@${key}`,
    );
    expect(await json(...set, '--set', 'separateInputs=true')).toEqual(
      expect.objectContaining({ id, isNew: false }),
    );
    expect((await run('gateway', 'list', '--reseller', '4105', '--json')).out).not.toContain('aKeyInAFile');
    const stored = await database
      .pool()
      .query('select config::text || secrets::text as all from gateway_account where id = $1', [id]);
    expect(stored.rows[0]?.all).not.toContain('aKeyInAFile');
    expect(await run('gateway', 'set', '--reseller', '4105', '--gateway', 'nonsense')).toMatchObject({
      code: 1,
      err: expect.stringContaining('stripe'),
    });
    expect(await json('gateway', 'disable', '--reseller', '4105')).toMatchObject({ disabled: 1 });
    expect(await run('gateway', 'check', '--reseller', '4105')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no gateway'),
    });
  });

  it('lists payments and finds out about none', async () => {
    expect(await json('payments', 'list')).toEqual({ payments: [] });
    expect(await run('payments', 'show', 'ABC')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no payment ABC'),
    });
    expect(await run('payments', 'list', '--state', 'lost')).toMatchObject({ code: 2 });
    const none = { asked: 0, ended: 0, open: 0, events: 0, eventsWaiting: 0, scanned: 0, rechecked: 0 };
    expect(await json('reconcile')).toEqual(none);
  });
});

describe('examining the installation', () => {
  it('shows the database, the document of all calls, and what is wrong', async () => {
    expect(await json('db', 'status')).toMatchObject({ isCurrent: true });
    expect(await json<{ paths: object }>('openapi')).toMatchObject({
      openapi: '3.1.0',
      paths: expect.objectContaining({ '/token': expect.anything() }),
    });
    const ok = await json<{ findings: { what: string; is: string }[] }>('doctor');
    expect(ok.findings).toContainEqual(expect.objectContaining({ what: 'database', is: 'ok' }));
    expect(ok.findings).toContainEqual(expect.objectContaining({ what: 'webhook events', is: 'ok' }));
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:9/none');
    const { code, out } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toContain('To be put right: 1');
    expect(await run('demo')).toMatchObject({ code: 1 });
  });

  it('shows events of gateways that wait for long, or for a person', async () => {
    await database
      .pool()
      .query(`insert into inbox (gateway_account_id, event_key, received_at, next_try_at, event_sealed, trust)
              values (gen_random_uuid(), 'evt_waits', now() - interval '2 hours', now(), 'x', 'signed')`);
    await database
      .pool()
      .query(`insert into inbox (gateway_account_id, event_key, received_at, handled_at, outcome)
              values (gen_random_uuid(), 'evt_lost', now(), now(), 'person: what it is of is not known')`);
    expect((await run('doctor')).out).toMatch(
      /warning +webhook events +1 wait, the oldest since .*Z; 1 of the last week need a person, .*evt_lost/,
    );
    await database.pool().query('delete from inbox');
  });

  it('has no demo world unless one was made', async () => {
    expect(await run('demo')).toMatchObject({ code: 1, err: expect.stringContaining('no demo world') });
  });
});
