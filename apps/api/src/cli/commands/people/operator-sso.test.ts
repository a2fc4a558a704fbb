import { startIdentityProvider } from '@counterfoil/testing/identity-provider.ts';
import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { createSecrets } from '../../../secrets.ts';

const { run, json, database } = useCommands();
const CALLBACK = 'http://localhost:3000/v1/operator/sso/callback';
const sql = async (text: string, ...values: unknown[]) => (await database.pool().query(text, values)).rows;
const sso = (action: string, ...args: string[]) => run('operator-sso', action, ...args);

it('sets single sign-on of the installation’s operators, tries it, changes what is said, and takes it away', async () => {
  const provider = await startIdentityProvider({ redirectUris: [CALLBACK] });
  try {
    const first = ['--issuer', provider.issuer, '--client-id', provider.clientId];
    expect(await sso('set', '--installation', ...first)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--name is needed the first time'),
    });
    const made = await json(
      'operator-sso',
      'set',
      '--installation',
      '--name',
      'Staff',
      ...first,
      '--client-secret',
      provider.clientSecret,
    );
    expect(made).toEqual({ resellerId: null, redirectUris: [CALLBACK] });
    const stored = async () => {
      const [row] = await sql('select id, client_secret from operator_sso');
      const secrets = createSecrets('a key only for this test, long enough');
      return row.client_secret === null ? null : secrets.open(row.client_secret, row.id);
    };
    expect(await sso('set', '--installation', '--name', 'Desk')).toMatchObject({ code: 0 });
    expect(await stored()).toBe(provider.clientSecret);
    const shown = (await sso('list')).out;
    expect(shown).toMatch(/Desk +all +offered +http/);
    expect(shown).not.toContain(provider.clientSecret);
    expect(await sso('test', '--installation')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/client +yes/),
    });
    await json('operator-sso', 'set', '--installation', '--client-secret', 'another');
    expect(await sso('test', '--installation')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/client +no/),
    });
    expect(await sso('set', '--installation', '--require')).toMatchObject({
      code: 1,
      err: expect.stringContaining('sign in by it once'),
    });
    // What one provider was told is not told to another.
    const other = ['set', '--installation', '--issuer', 'https://login.example.com'] as const;
    expect(await sso(...other)).toMatchObject({ code: 2, err: expect.stringContaining('--client-id') });
    expect(await sso(...other, '--client-id', 'console')).toMatchObject({ code: 0 });
    expect(await stored()).toBeNull();
    expect(await sso('remove', '--installation')).toMatchObject({ code: 0 });
    const audit = await sql(
      "select action, actor, detail from audit_event where action like 'operator.sso%' order by id",
    );
    expect(audit).toHaveLength(5);
    expect(audit[1]).toMatchObject({
      actor: expect.stringMatching(/^cli:/),
      detail: { 'before.name': 'Staff', 'after.name': 'Desk' },
    });
    expect(JSON.stringify(audit)).not.toContain(provider.clientSecret);
  } finally {
    await provider.stop();
  }
});

it('refuses a reseller that is not there, one without single sign-on, and the widest reach by accident', async () => {
  await json('reseller', 'add', '--id', '4300', '--name', 'Northline');
  const values = ['--name', 'x', '--issuer', 'https://login.example.com', '--client-id', 'x'];
  for (const [args, code, words] of [
    [['set', ...values], 2, '--reseller is missing'],
    [['set', ...values, '--reseller', '4300', '--installation'], 2, 'either'],
    [['set', ...values, '--reseller', '99'], 1, 'there is no reseller 99'],
    [['set', ...values.with(3, 'login.example.com'), '--reseller', '4300'], 1, 'issuer is no address'],
    [['set', ...values, '--reseller', '4300', '--require', '--optional'], 2, 'give one of'],
    [['test', '--reseller', '4300'], 1, 'single sign-on'],
    [['remove', '--reseller', '4300'], 1, 'single sign-on'],
  ] as const)
    expect(await sso(args[0], ...args.slice(1))).toMatchObject({ code, err: expect.stringContaining(words) });
  expect(await json('operator-sso', 'list')).toEqual({ settings: [] });
});
