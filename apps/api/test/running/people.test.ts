import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkedEmail } from '../../src/features/admin/checks.ts';
import { AdminRefused } from '../../src/features/admin/refused.ts';
import { hashPassword } from '../../src/features/auth/passwords/passwords.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();
const PASSWORD = 'Ledger!2026';
let passwordHash = '';

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

const signIn = (username: string, host = 'bills.example') =>
  fixture.app.inject({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', host },
    payload: new URLSearchParams({
      client_id: 'counterfoil-portal',
      grant_type: 'password',
      username,
      password: PASSWORD,
    }).toString(),
  });

const query = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

describe('a user name', () => {
  it.each(['nobody', 'a b@x.example', '@x.example', 'a@', 'a@b@c.example', ''])(
    'is no %j [decisions.4.user-name-email]',
    (text) => {
      expect(() => checkedEmail(text)).toThrow(AdminRefused);
    },
  );

  it('is an e-mail address in any case, valid at any host [decisions.4.user-name-email, decisions.4.user-name-case, decisions.4.user-name-any-host]', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const other = await fixture.seedPayer();
    const user = await fixture.make.user({
      resellerId: reseller.id,
      passwordHash,
      customerIds: [customer.id],
    });
    for (const host of [reseller.host, other.reseller.host, 'nowhere.example']) {
      for (const name of [user.email, user.email.toUpperCase()])
        expect((await signIn(name, host)).statusCode).toBe(200);
    }
  });

  it('is unique in the installation, across resellers [decisions.4.user-name-unique]', async () => {
    const [one, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
    const { email } = await fixture.make.user({ resellerId: one.reseller.id, customerIds: [] });
    await expect(
      fixture.make.user({ resellerId: other.reseller.id, email, customerIds: [] }),
    ).rejects.toThrow(/unique/);
  });
});

describe('a customer', () => {
  it('without a brand has the reseller’s first, else brand 0 [decisions.4.customer-brand]', async () => {
    const { reseller, customer } = await fixture.seedPayer();
    const user = await fixture.make.user({
      resellerId: reseller.id,
      passwordHash,
      customerIds: [customer.id],
    });
    const brands = async () => {
      const { access_token } = (await signIn(user.email)).json();
      const headers = { authorization: `Bearer ${access_token}` };
      const me = (await fixture.app.inject({ url: '/v1/ec/me', headers })).json().data;
      return [Number(decodeJwt(access_token)['BrandId']), me.customers[0].brandId];
    };
    await query(
      `insert into brand (id, reseller_id, name, company_name, colours) select $1, reseller_id, 'Own', 'Own', colours
         from brand where id = $2`,
      [reseller.id + 50_000, reseller.brandId],
    );
    const give = async (brandId: number | null) => {
      for (const table of ['customer', 'reseller_customer'])
        await query(`update ${table} set brand_id = $2 where customer_id = $1`, [customer.id, brandId]);
    };
    await give(reseller.id + 50_000);
    expect(await brands()).toEqual([reseller.id + 50_000, reseller.id + 50_000]);
    await give(null);
    expect(await brands()).toEqual([reseller.brandId, reseller.brandId]);
    await query('delete from brand_host where brand_id = $1', [reseller.brandId]);
    await query('delete from brand where reseller_id = $1', [reseller.id]);
    expect(await brands()).toEqual([0, 0]);
  });
});
