import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const { run, json, database } = useCommands();

it('makes, lists, rotates and ends keys; stores hashes only; each act stands in the audit trail', async () => {
  await json('reseller', 'add', '--id', '7100', '--name', 'Keys');
  const key = (action: string, ...args: string[]) =>
    run('api-key', action, '--reseller', '7100', '--name', 'mediation', ...args);
  const made = await key('add', '--scope', 'usage:write,usage:read', '--expires', '90d', '--json');
  const { key: first, expiresAt } = JSON.parse(made.out);
  expect(first).toMatch(/^cfk_[\w-]{43}$/);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(89 * 86_400_000);
  expect(await key('add', '--scope', 'usage:read')).toMatchObject({ code: 1 });
  expect((await run('api-key', 'list')).out).toMatch(/7100 .*mediation .* never .*usage:write usage:read/);
  const second = (await key('rotate', '--grace', '0m')).out;
  const { rows } = await database.pool().query('select * from api_key');
  expect(JSON.stringify(rows)).not.toContain(first);
  expect(JSON.stringify(rows)).not.toContain(second);
  expect(await key('revoke')).toMatchObject({ code: 0 });
  expect(await key('revoke')).toMatchObject({ code: 1 });
  expect(await key('rotate')).toMatchObject({ code: 1, err: expect.stringContaining('no key') });
  const audit = await database
    .pool()
    .query("select action from audit_event where action like 'apiKey.%' order by id");
  expect(audit.rows.map(({ action }) => action)).toEqual([
    'apiKey.added',
    'apiKey.rotated',
    'apiKey.revoked',
  ]);
});

it('refuses unknown resellers and scopes, a time that has passed, and the widest key by accident', async () => {
  const add = (...args: string[]) => run('api-key', 'add', '--name', 'x', ...args);
  expect(await add('--reseller', '9', '--scope', 'usage:read')).toMatchObject({ code: 1 });
  for (const [args, words] of [
    [['--reseller', '9'], '--scope is missing'],
    [['--reseller', '9', '--scope', 'all'], "'all' is no scope"],
    [['--reseller', '9', '--scope', 'usage:read', '--expires', '2020-01-01'], 'has passed'],
    [['--scope', 'usage:read'], '--reseller is missing'],
    [['--scope', 'usage:read', '--installation', '--reseller', '9'], 'either'],
  ] as const)
    expect(await add(...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  const wide = await json<{ resellerId: null }>(
    'api-key',
    'add',
    '--installation',
    '--name',
    'x',
    '--scope',
    'usage:read',
  );
  expect(wide).toMatchObject({ resellerId: null });
  expect(await add('--installation', '--scope', 'usage:read')).toMatchObject({ code: 1 });
});
