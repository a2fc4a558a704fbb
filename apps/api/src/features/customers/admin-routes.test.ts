import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const path = '/v1/admin/customers';

/** A provider's program. */
async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'crm');
  const call = async (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `${path}${url}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: answer.headers['etag'], ...answer.json() };
  };
  return {
    reseller,
    customer,
    get: (url: string) => call('GET', url),
    put: (reference: string, values: object, headers?: Readonly<Record<string, string>>) =>
      call('PUT', `/by-reference/${encodeURIComponent(reference)}`, values, headers),
    act: (id: string, what: 'disable' | 'enable') => call('POST', `/${id}/${what}`),
    trail: async (id: string) =>
      (
        await fixture.database
          .pool()
          .query(
            'select action, actor, reseller_id, request_id is not null as asked, detail from audit_event where customer_id = $1 order by id',
            [id],
          )
      ).rows,
  };
}

const values = {
  label: 'Harbour Office',
  email: 'Bills@Harbour.Example',
  country: 'NZ',
  address: { lines: ['1 Quay St'], city: 'Auckland', postalCode: '1010' },
};

describe('PUT /v1/admin/customers/by-reference/{reference}', () => {
  it('makes a customer, leaves it as it is, and changes it where the caller has read its state', async () => {
    const { put, get, trail, reseller } = await provider();
    const made = await put('C/1', values);
    expect(made).toMatchObject({
      status: 201,
      etag: '"1"',
      data: {
        reference: 'C/1',
        label: 'Harbour Office',
        email: 'bills@harbour.example',
        address: { lines: ['1 Quay St'], city: 'Auckland', postalCode: '1010', region: null },
        brandId: null,
        status: 'active',
        version: 1,
      },
    });
    expect(await put('C/1', values)).toMatchObject({ status: 200, etag: '"1"', data: made.data });

    const moved = { ...values, email: 'new@harbour.example' };
    expect(await put('C/1', moved)).toMatchObject({ status: 428, code: 'precondition.required' });
    expect(await put('C/1', moved, { 'if-match': '"7"' })).toMatchObject({
      status: 412,
      code: 'precondition.failed',
    });
    expect(await put('C/1', moved, { 'if-match': '"7", "1"' })).toMatchObject({
      status: 200,
      etag: '"2"',
      data: { email: 'new@harbour.example', version: 2 },
    });
    // The answer was lost, and the same is sent again.
    expect(await put('C/1', moved, { 'if-match': '"1"' })).toMatchObject({ status: 200, etag: '"2"' });
    // What is left out is taken away.
    expect(await put('C/1', { label: 'Harbour' }, { 'if-match': '*' })).toMatchObject({
      status: 200,
      data: { email: null, country: null, address: { lines: [] }, version: 3 },
    });
    expect(await get(`/${made.data.id}`)).toMatchObject({ status: 200, etag: '"3"' });
    expect(await get('/by-reference/C%2F1')).toMatchObject({ data: { id: made.data.id, label: 'Harbour' } });

    const by = { actor: 'key:crm', reseller_id: reseller.id, asked: true };
    expect(await trail(made.data.id)).toMatchObject([
      { ...by, action: 'customer.added', detail: { label: 'Harbour Office' } },
      {
        ...by,
        action: 'customer.changed',
        detail: { 'before.email': 'bills@harbour.example', 'after.email': 'new@harbour.example' },
      },
      { ...by, action: 'customer.changed', detail: { 'before.country': 'NZ', 'after.country': null } },
    ]);
  });

  it('If-Match makes nothing new, If-None-Match: * changes nothing that is there', async () => {
    const { put, get } = await provider();
    expect(await put('new', values, { 'if-match': '*' })).toMatchObject({ status: 412 });
    expect(await get('/by-reference/new')).toMatchObject({ status: 404, code: 'customer.notFound' });
    expect(await put('new', values, { 'if-none-match': '*' })).toMatchObject({ status: 201 });
    expect(await put('new', values, { 'if-none-match': '*' })).toMatchObject({ status: 412 });
  });

  it('twice at once makes one customer', async () => {
    const { put, get } = await provider();
    const both = await Promise.all([put('twice', values), put('twice', values)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(both[0].data).toEqual(both[1].data);
    expect((await get('?reference=twice')).data).toHaveLength(1);
  });

  it('refuses a brand that the reseller does not have, another’s as one that does not exist', async () => {
    const [{ put, reseller }, other] = [await provider(), await provider()];
    for (const brandId of [other.reseller.brandId, 999_999])
      expect(await put('C-1', { ...values, brandId })).toMatchObject({
        status: 400,
        code: 'customer.noBrand',
      });
    expect(await put('C-1', { ...values, brandId: reseller.brandId })).toMatchObject({ status: 201 });
    // The same reference at another provider is another customer.
    expect(await other.put('C-1', values)).toMatchObject({ status: 201 });
  });
});

describe('GET /v1/admin/customers', () => {
  it('pages through all, finds by reference, address, beginning of the name and state, and no others’', async () => {
    const [{ put, get, act }, other] = [await provider(), await provider()];
    await other.put('C-1', values);
    for (const n of [1, 2, 3, 4]) await put(`C-${n}`, { label: `Pier_${n}%`, email: `p${n}@pier.example` });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ label }: { label: string }) => label));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    const found = async (query: string) =>
      (await get(`?${query}`)).data.map(({ reference }: { reference: string | null }) => reference);
    expect(await found('reference=C-2')).toEqual(['C-2']);
    expect(await found('email=P3@pier.example')).toEqual(['C-3']);
    expect(await found('label=pier_')).toEqual(['C-1', 'C-2', 'C-3', 'C-4']);
    expect(await found('label=pier_1%25')).toEqual(['C-1']);
    expect(await found('label=%25')).toEqual([]);
    expect(await found('reference=C-2&label=x')).toEqual([]);
    const { data } = await get('?reference=C-4');
    await act(data[0].id, 'disable');
    expect(await found('label=pier&status=disabled')).toEqual(['C-4']);
    expect(await found('label=pier&status=active')).toEqual(['C-1', 'C-2', 'C-3']);
  });
});

describe('a disabled customer', () => {
  it('is nobody’s in the portal from the next request on, until it is enabled again; all of it on record', async () => {
    const person = await signedIn(fixture);
    const { customer, reseller } = person;
    const key = await programKey(fixture, reseller.id, 'crm');
    const act = async (what: string) => {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: `${path}/${customer.id}/${what}`,
        headers: { authorization: `Bearer ${key}` },
      });
      return [answer.statusCode, answer.json().data.status, answer.json().data.version];
    };
    const look = async () => (await person.get('/v1/ec/invoices?pageNumber=1&pageSize=10')).statusCode;
    const mine = async () => (await person.get('/v1/ec/me')).json().data.customers.length;
    const payable = await fixture.seedPayable(customer);
    expect([await look(), await mine()]).toEqual([200, 1]);
    expect(await act('disable')).toEqual([200, 'disabled', 2]);
    expect(await act('disable')).toEqual([200, 'disabled', 2]);
    expect([await look(), await mine()]).toEqual([403, 0]);
    // What it owes stays owed.
    const link = await fixture.app.inject(`/v1/ec/payment/details/${payable.token}`);
    expect(link.statusCode).toBe(200);
    expect(await act('enable')).toEqual([200, 'active', 3]);
    expect([await look(), await mine()]).toEqual([200, 1]);
    const { rows } = await fixture.database
      .pool()
      .query(
        "select action, detail->>'before.status' as was from audit_event where customer_id = $1 and action like 'customer.%' order by id",
        [customer.id],
      );
    expect(rows).toEqual([
      { action: 'customer.disabled', was: 'active' },
      { action: 'customer.enabled', was: 'disabled' },
    ]);
  });
});
