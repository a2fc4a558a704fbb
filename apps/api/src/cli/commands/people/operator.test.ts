import { expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const { run, json, database } = useCommands();
const operator = (action: string, ...args: string[]) =>
  run('operator', action, '--email', 'Olga@provider.example', ...args);
const who = ['--name', 'Olga', '--role', 'billing'];

it('makes an operator with a link, changes, resets and shuts out; each act stands in the audit trail', async () => {
  await json('reseller', 'add', '--id', '7200', '--name', 'Operators');
  const made = await operator('add', ...who, '--reseller', '7200', '--json');
  const { email, url } = JSON.parse(made.out);
  expect(email).toBe('olga@provider.example');
  expect(url).toMatch(/^http:\/\/localhost:3000\/admin\/invitation\/[\w-]{43}$/);
  const { rows } = await database.pool().query('select * from operator_invitation');
  expect(JSON.stringify(rows)).not.toContain(url.split('/').at(-1));
  expect(await operator('add', ...who, '--reseller', '7200')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is an operator olga@provider.example'),
  });
  expect(await operator('set', '--role', 'support', '--installation')).toMatchObject({
    out: 'olga@provider.example: Olga, support, every reseller.',
  });
  expect(await operator('set', '--role', 'support')).toMatchObject({ code: 0 });
  expect((await run('operator', 'list')).out).toMatch(/olga@provider\.example +all +support +invited until /);
  const again = await operator('reset', '--json');
  expect(JSON.parse(again.out).url).not.toBe(url);
  expect(await operator('disable')).toMatchObject({ code: 0 });
  expect(await operator('reset')).toMatchObject({ code: 1, err: expect.stringContaining('is shut out') });
  expect((await run('operator', 'list')).out).toMatch(/ disabled /);
  expect(await operator('disable', '--undo')).toMatchObject({ code: 0 });
  const audit = await database
    .pool()
    .query("select action, detail from audit_event where action like 'operator.%' order by id");
  expect(audit.rows).toMatchObject([
    { action: 'operator.added', detail: { 'after.role': 'billing', 'after.resellerId': 7200 } },
    { action: 'operator.changed', detail: { 'before.resellerId': 7200, 'after.resellerId': null } },
    { action: 'operator.reset' },
    { action: 'operator.disabled' },
    { action: 'operator.enabled' },
  ]);
});

it('mails the invitation where there is a mail server, or shows its link; withdraws it, and removes the operator', async () => {
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:2525');
  const ola = (action: string, ...args: string[]) =>
    run('operator', action, '--email', 'ola@provider.example', ...args);
  expect(await ola('add', ...who, '--installation')).toMatchObject({
    out: expect.stringContaining('The invitation goes to ola@provider.example by mail.'),
  });
  const jobs = async () =>
    (
      await database
        .pool()
        .query("select 1 from graphile_worker.jobs where task_identifier = 'operator-invitation-mail'")
    ).rowCount;
  expect(await jobs()).toBe(1);
  expect(JSON.parse((await ola('invite', '--json')).out)).toMatchObject({ url: null });
  expect(JSON.parse((await ola('invite', '--link', '--json')).out).url).toContain('/admin/invitation/');
  expect(JSON.parse((await ola('reset', '--json')).out)).toMatchObject({ url: null });
  expect(await ola('withdraw')).toMatchObject({ code: 0 });
  expect((await run('operator', 'list')).out).toMatch(/ola@provider\.example +all +billing +no way in /);
  expect(await ola('remove')).toMatchObject({ code: 0 });
  expect(await ola('invite')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no operator'),
  });
});

it('refuses unknown people, roles and resellers, and the widest operator by accident', async () => {
  for (const [args, code, words] of [
    [['add', ...who], 2, '--reseller is missing'],
    [['add', ...who, '--reseller', '7', '--installation'], 2, 'either'],
    [['add', '--name', 'x', '--role', 'god', '--installation'], 2, "not 'god'"],
    [['add', ...who, '--reseller', '99'], 1, 'there is no reseller 99'],
    [['set'], 2, 'give --name'],
    [['set', '--role', 'owner'], 1, 'there is no operator nobody@provider.example'],
    [['disable'], 1, 'there is no operator'],
  ] as const)
    expect(
      await run('operator', args[0], '--email', 'nobody@provider.example', ...args.slice(1)),
    ).toMatchObject({ code, err: expect.stringContaining(words) });
});
