import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../../test/fixtures/account-mails.ts';
import { ssoEnv, useSso } from '../../../test/fixtures/sso-fixture.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../auth/passwords/passwords.ts';

const fixture = useFixture({ env: ssoEnv });
const sso = useSso(fixture);
const PASSWORD = 'Ledger!2026';
let passwordHash = '';
const sql = (text: string, ...values: unknown[]) => fixture.database.pool().query(text, values);

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

/** A company with a domain of its own. */
async function companyAt(domain: string, change = 'requires_sso = true') {
  const company = await sso.company({ domains: [domain] });
  await sql(`update company set ${change} where id = $1`, company.id);
  await sql('update app_user set password_hash = $2 where id = $1', company.user.id, passwordHash);
  return company;
}

describe('a sign-in by password', () => {
  it('of a company that requires single sign-on is sent there, whether or not the account exists [decisions.2.{field.X-Brand-Company,X-Brand-Company-when,X-Brand-Company-tells-nothing}]', async () => {
    const company = await companyAt('harbour.example');
    await fixture.make.user({
      resellerId: company.resellerId,
      customerIds: [company.customerId],
      email: 'ada@harbour.example',
      passwordHash,
    });
    const facts = async (username: string, password: string) => {
      const answer = await signIn(fixture, username, password);
      return [answer.statusCode, answer.headers['x-brand-company'], answer.json()];
    };
    const known = await facts('Ada@Harbour.Example', PASSWORD);
    expect(known).toEqual([
      400,
      company.name,
      { error: 'invalid_grant', error_description: 'Please sign in through your company' },
    ]);
    expect(await facts('ada@harbour.example', 'wrong')).toEqual(known);
    expect(await facts('nobody@harbour.example', 'wrong')).toEqual(known);
  });

  it.each([
    ['does not require it', 'requires_sso = false'],
    ['is blocked', 'requires_sso = true, is_active = false'],
  ])('of a company that %s goes on as ever [decisions.2.X-Brand-Company-when]', async (_what, change) => {
    const domain = `${change.replaceAll(/\W/g, '')}.example`.replaceAll('_', '');
    await companyAt(domain, change);
    const answer = await signIn(fixture, `nobody@${domain}`, 'wrong');
    expect([answer.statusCode, answer.headers['x-brand-company']]).toEqual([400, undefined]);
    expect(answer.json()).toMatchObject({ error_description: 'Invalid username or password' });
  });

  it('with an address of another domain, or none, goes on as ever [decisions.2.X-Brand-Company-when]', async () => {
    await companyAt('exact.example');
    for (const username of [
      'a@sub.exact.example',
      'a@exact.example.org',
      'exact.example',
      '@exact.example',
      'a@',
    ]) {
      expect((await signIn(fixture, username, 'wrong')).headers['x-brand-company']).toBeUndefined();
    }
  });

  it('names the company in a header that any name fits into', async () => {
    const company = await companyAt('kaisha.example');
    for (const name of ['Zoë & Söhne', '株式会社 100% ☎', 'Line\r\nBreak: x']) {
      await sql('update company set name = $2 where id = $1', company.id, name);
      const { headers, statusCode } = await signIn(fixture, 'a@kaisha.example', 'wrong');
      expect(statusCode).toBe(400);
      expect(headers['x-brand-company']).toMatch(/^[\x20-\x7e]+$/);
      expect(decodeURIComponent(String(headers['x-brand-company']))).toBe(name);
    }
  });
});
