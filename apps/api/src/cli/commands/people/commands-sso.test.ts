import { Readable } from 'node:stream';
import { startIdentityProvider } from '@counterfoil/testing/identity-provider.ts';
import { describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { createSecrets } from '../../../secrets.ts';

const { run, json, database } = useCommands();
const ISSUER = 'https://login.harbour.example';
const sql = async (text: string, ...values: unknown[]) => (await database.pool().query(text, values)).rows;

let serial = 0;

interface Company {
  readonly name: string;
  readonly issuer: string | null;
  readonly requires_sso: boolean;
  readonly is_active: boolean;
  readonly domains: readonly string[];
  readonly customer_ids: readonly string[];
}

/** A reseller with a brand at a host and one customer. */
async function reseller(id: string) {
  await json('reseller', 'add', '--id', id, '--name', 'Northline');
  await json('brand', 'add', '--reseller', id, '--name', 'Northline', '--host', `bills${id}.example`);
  const customer = await json<{ id: string }>('customer', 'add', '--reseller', id, '--label', 'Harbour');
  const user = async (email: string, ...customers: string[]) =>
    json(
      'user',
      'add',
      '--reseller',
      id,
      '--email',
      email,
      '--name',
      'X',
      ...customers.flatMap((one) => ['--customer', one]),
    );
  const set = ['sso', 'set', '--reseller', id, '--company', `Harbour ${id}`];
  const asProvider = [...set, '--issuer', ISSUER, '--client-id', 'counterfoil', '--customer', customer.id];
  const list = async () => (await json<{ companies: Company[] }>('sso', 'list', '--reseller', id)).companies;
  return { customer, user, set, asProvider, list };
}

describe('counterfoil sso', () => {
  it('sets a company up, changes what is said, and keeps the rest', async () => {
    const { asProvider, set, list, customer, user } = await reseller('4201');
    await user('ada@harbour.example', customer.id);
    const domains = ['--domain', '@Harbour.Example', '--domain', 'quay.example'];
    const made = await json<{ redirectUris: string[] }>(
      ...asProvider,
      ...domains,
      '--client-secret',
      's1',
      '--require',
    );
    expect(made).toMatchObject({ isNew: true, people: 1, shutOut: [] });
    expect(made.redirectUris).toEqual([
      'http://bills4201.example:3000/sso/callback',
      'http://localhost:3000/sso/callback',
    ]);
    const company = {
      name: 'Harbour 4201',
      issuer: ISSUER,
      requires_sso: true,
      is_active: true,
      domains: ['harbour.example', 'quay.example'],
      customer_ids: [customer.id],
      has_secret: true,
    };
    expect(await list()).toMatchObject([company]);
    expect(await json(...set, '--optional', '--block')).toMatchObject({ isNew: false });
    expect(await list()).toMatchObject([{ ...company, requires_sso: false, is_active: false }]);
    await json(...set, '--unblock', '--domain', 'harbour.example');
    expect(await list()).toMatchObject([{ ...company, requires_sso: false, domains: ['harbour.example'] }]);
    const audit = await sql(
      "select detail from audit_event where action = 'sso.set' and reseller_id = 4201 order by id",
    );
    expect(audit).toHaveLength(3);
    expect(JSON.stringify(audit)).not.toContain('s1');
  });

  it('stores the secret sealed and bound to the company, and shows it nowhere', async () => {
    const { asProvider, set } = await reseller('4202');
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(
      Readable.from(['hidden-secret\n']) as typeof process.stdin,
    );
    await json(...asProvider, '--client-secret-stdin');
    const stored = async () => {
      const [row] = await sql("select id, client_secret from company where name = 'Harbour 4202'");
      const secrets = createSecrets('a key only for this test, long enough');
      return row.client_secret === null ? null : secrets.open(row.client_secret, row.id);
    };
    expect(await stored()).toBe('hidden-secret');
    const shown = await Promise.all([run('sso', 'list'), run('sso', 'list', '--json')]);
    expect(JSON.stringify(shown)).not.toContain('hidden-secret');
    // What one provider was told is not told to another.
    expect(await run(...set, '--issuer', 'https://other.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--client-id'),
    });
    await json(...set, '--issuer', 'https://other.example', '--client-id', 'counterfoil');
    expect(await stored()).toBeNull();
  });

  it.each<[string, readonly string[], string]>([
    ['an issuer in the clear', ['--issuer', 'http://login.harbour.example'], 'https://'],
    ['an issuer that is none', ['--issuer', 'login.harbour.example'], 'no issuer'],
    ['an issuer with a query', ['--issuer', `${ISSUER}?x=1`], 'no issuer'],
    ['a domain that is none', ['--domain', 'localhost'], 'no domain'],
    ['requiring it of nobody', ['--require'], '--domain'],
    [
      'a customer of another reseller',
      ['--customer', '01924f2e-0000-7000-8000-000000000000'],
      'has no customer',
    ],
  ])('refuses %s, and changes nothing', async (_what, options, why) => {
    serial += 1;
    const id = `${4210 + serial}`;
    const { asProvider, list } = await reseller(id);
    const given = options.includes('--issuer')
      ? asProvider.filter((word) => word !== ISSUER && word !== '--issuer')
      : asProvider;
    expect(await run(...given, ...options)).toMatchObject({ code: 1, err: expect.stringContaining(why) });
    expect(await list()).toEqual([]);
  });

  it('refuses a company nobody could sign in to, one of another reseller, and a domain of another company', async () => {
    const [one, other] = [await reseller('4203'), await reseller('4204')];
    const bare = one.asProvider.slice(0, -2);
    expect(await run(...bare)).toMatchObject({
      code: 1,
      err: expect.stringContaining('nobody could sign in'),
    });
    await json(...one.asProvider, '--domain', 'taken.example');
    const theirs = other.asProvider.map((word) => (word === 'Harbour 4204' ? ' HARBOUR  4203' : word));
    expect(await run(...theirs)).toMatchObject({ code: 1, err: expect.stringContaining('reseller 4203') });
    expect(await run(...other.asProvider, '--domain', 'Taken.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('another company'),
    });
    expect(await run(...one.set, '--require', '--optional')).toMatchObject({ code: 2 });
    expect(await run('sso', 'set', '--company', 'X')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--reseller'),
    });
    expect(await other.list()).toEqual([]);
  });

  it('takes an issuer as people copy it', async () => {
    const { asProvider, list } = await reseller('4205');
    await json(
      ...asProvider.map((word) => (word === ISSUER ? `${ISSUER}/.well-known/openid-configuration` : word)),
    );
    expect(await list()).toMatchObject([{ issuer: ISSUER }]);
  });

  it('forgets a company, or keeps its name as that of one without single sign-on', async () => {
    const { asProvider, list } = await reseller('4206');
    await json(...asProvider, '--client-secret', 's');
    await json('sso', 'remove', '--company', 'harbour 4206', '--keep-name');
    expect(await list()).toMatchObject([
      { name: 'Harbour 4206', issuer: null, client_id: null, has_secret: false },
    ]);
    await json('sso', 'remove', '--company', 'harbour 4206');
    expect(await list()).toEqual([]);
    expect(await run('sso', 'remove', '--company', 'harbour 4206')).toMatchObject({
      code: 1,
      err: expect.stringContaining("no company 'harbour 4206'"),
    });
    expect(
      await sql("select action from audit_event where action = 'sso.removed' and reseller_id = 4206"),
    ).toHaveLength(2);
  });

  it('tests a provider, and says who could not sign in', async () => {
    const { asProvider, set, customer, user } = await reseller('4207');
    const second = await json<{ id: string }>('customer', 'add', '--reseller', '4207', '--label', 'Quay');
    await user('eve@harbour.example', customer.id);
    await user('both@books.example', customer.id, second.id);
    const provider = await startIdentityProvider({ redirectUris: ['http://localhost:3000/sso/callback'] });
    try {
      await json(...asProvider);
      await json(...set, '--issuer', provider.issuer, '--client-id', provider.clientId);
      const found = await json('sso', 'test', '--company', 'Harbour 4207');
      expect(found).toMatchObject({
        issuer: provider.issuer,
        token: `${provider.issuer}/token`,
        PKCE: 'S256',
        people: 1,
        shutOut: ['both@books.example'],
      });
      const told = await run('sso', 'test', '--company', 'Harbour 4207');
      expect(told.out).toContain('both@books.example');
      expect(told.out).toContain('http://bills4207.example:3000/sso/callback');
    } finally {
      await provider.stop();
    }
    expect(await run('sso', 'test', '--company', 'Harbour 4207')).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be used: ECONNREFUSED'),
    });
  });
});
