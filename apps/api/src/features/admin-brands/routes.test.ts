import { beforeAll, describe, expect, it } from 'vitest';
import { operatorCookie } from '../../../test/fixtures/operator.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
type Headers = Readonly<Record<string, string>>;

// New brands are numbered after it, out of the way of the resellers and brands that a test seeds.
beforeAll(async () => {
  const { reseller } = await fixture.seedPayer();
  await fixture.database
    .pool()
    .query(
      "insert into brand (id, reseller_id, name, company_name, colours) select 1000000, $1, 'last', 'last', colours from brand where id = 0",
      [reseller.id],
    );
});

describe('resellers, for the installation', () => {
  const ask = async (
    key: string,
    method: 'GET' | 'PUT',
    url: string,
    payload?: object,
    headers: Headers = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/resellers${url}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: String(answer.headers['etag']), ...answer.json() };
  };

  it('makes, keeps, changes and lists them by reference', async () => {
    const key = await programKey(fixture, null, 'installation');
    const at = '/by-reference/west';
    const made = await ask(key, 'PUT', at, { name: 'West' });
    expect(made).toMatchObject({ status: 201, data: { reference: 'west', name: 'West' } });
    expect(await ask(key, 'PUT', at, { name: 'West' })).toMatchObject({ status: 200, etag: made.etag });
    expect(await ask(key, 'PUT', at, { name: 'Far West' })).toMatchObject({ status: 428 });
    const changed = await ask(key, 'PUT', at, { name: 'Far West' }, { 'if-match': made.etag });
    expect(changed).toMatchObject({ status: 200, data: { id: made.data.id, name: 'Far West' } });
    expect(await ask(key, 'GET', at)).toMatchObject({ etag: changed.etag, data: changed.data });
    expect(await ask(key, 'GET', '/by-reference/east')).toMatchObject({
      status: 404,
      code: 'reseller.notFound',
    });
    expect((await ask(key, 'GET', `?cursor=${made.data.id - 1}&limit=1`)).data).toEqual([changed.data]);
    const { rows } = await fixture.database
      .pool()
      .query('select action, actor from audit_event where reseller_id = $1 order by id', [made.data.id]);
    expect(rows).toEqual(
      ['reseller.added', 'reseller.changed'].map((action) => ({ action, actor: 'key:installation' })),
    );
  });

  it('are nothing for a key or an operator of one reseller', async () => {
    const { reseller } = await fixture.seedPayer();
    const key = await programKey(fixture, reseller.id, 'own');
    for (const [method, url] of [['GET', ''] as const, ['GET', '/by-reference/west'] as const])
      expect(await ask(key, method, url)).toMatchObject({ status: 403, code: 'installation.only' });
    expect(await ask(key, 'PUT', '/by-reference/new', { name: 'x' })).toMatchObject({ status: 403 });
    const { cookie } = await operatorCookie(fixture, reseller.id);
    const asked = await fixture.app.inject({ url: '/v1/admin/resellers', headers: { cookie } });
    expect([asked.statusCode, asked.json().code]).toEqual([403, 'installation.only']);
    const everybody = await operatorCookie(fixture, null);
    const all = await fixture.app.inject({
      url: '/v1/admin/resellers',
      headers: { cookie: everybody.cookie },
    });
    expect(all.statusCode).toBe(200);
  });
});

/** A provider's program. */
async function provider() {
  const { reseller } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const call = async (
    method: 'GET' | 'PUT' | 'DELETE',
    url: string,
    payload?: object | Buffer,
    headers: Headers = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/${url}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, etag: String(answer.headers['etag']), ...answer.json() };
  };
  return {
    reseller,
    call,
    get: (url = '') => call('GET', `brands${url}`),
    put: (reference: string, values: object, headers?: Headers) =>
      call('PUT', `brands/by-reference/${reference}`, values, headers),
    trail: async () =>
      (
        await fixture.database
          .pool()
          .query<{ action: string; detail: object }>(
            "select action, detail from audit_event where reseller_id = $1 and actor = 'key:erp' order by id",
            [reseller.id],
          )
      ).rows,
  };
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const anyState = { 'if-match': '*' };

describe('PUT /v1/admin/brands/by-reference/{reference}', () => {
  it('makes a brand, leaves it as it is, and changes it where the caller has read its state', async () => {
    const { put, get, trail } = await provider();
    const values = {
      name: 'North',
      hosts: ['b.north.example', 'A.north.example'],
      settings: { bulkPay: false },
    };
    const made = await put('north', values);
    expect(made).toMatchObject({
      status: 201,
      data: {
        reference: 'north',
        companyName: 'North',
        currency: 'USD',
        hosts: ['b.north.example', 'a.north.example'],
        settings: { bulkPay: false, paymentsEnabled: true },
        images: { logo: false, banner: false },
      },
    });
    expect(await put('north', values)).toMatchObject({ status: 200, etag: made.etag, data: made.data });
    const moved = { name: 'North', currency: 'NZD', hosts: ['a.north.example'] };
    expect(await put('north', moved)).toMatchObject({ status: 428, code: 'precondition.required' });
    expect(await put('north', moved, { 'if-match': '"0"' })).toMatchObject({ status: 412 });
    expect(await put('north', moved, { 'if-match': made.etag })).toMatchObject({
      status: 200,
      data: { id: made.data.id, currency: 'NZD', hosts: ['a.north.example'], settings: { bulkPay: true } },
    });
    expect(await get(`/${made.data.id}`)).toMatchObject({ data: { currency: 'NZD' } });
    expect(await trail()).toEqual([
      { action: 'brand.added', detail: { brand: made.data.id, name: 'North' } },
      {
        action: 'brand.changed',
        detail: {
          brand: made.data.id,
          'before.currency': 'USD',
          'after.currency': 'NZD',
          'before.hosts': '["b.north.example","a.north.example"]',
          'after.hosts': '["a.north.example"]',
          'before.bulkPay': 'false',
          'after.bulkPay': null,
        },
      },
    ]);
    // What a page is told follows at once.
    const shown = await fixture.app.inject('/v1/brands-settings?d=a.north.example');
    expect(shown.json().data).toMatchObject({ id: made.data.id, currency: 'NZD' });
  });

  it.each([
    [{ colours: ['#fff'] }, 'request.invalid'],
    [{ colours: Array.from({ length: 7 }, () => 'no colour') }, 'brand.refused'],
    [{ currency: 'XYZ' }, 'brand.refused'],
    [{ timeZone: 'Mars/North' }, 'brand.refused'],
    [{ hosts: ['no host'] }, 'brand.refused'],
    [{ settings: { supportEmail: 'x' } }, 'request.invalid'],
    [{ settings: { unknown: 1 } }, 'request.invalid'],
    [{ settings: { privacyUrl: 'javascript:alert(1)' } }, 'request.invalid'],
    [{ settings: { imprintUrl: 'https://' } }, 'request.invalid'],
    [{ settings: { mailTexts: { reset: { text: 'Hello {nobody}' } } } }, 'brand.refused'],
  ])('refuses %j', async (values, code) => {
    const { put, get } = await provider();
    expect(await put('x', { name: 'X', ...values })).toMatchObject({ status: 400, code });
    expect((await get('/by-reference/x')).status).toBe(404);
  });

  it('another reseller’s brand does not exist, and its host is taken', async () => {
    const [one, other] = [await provider(), await provider()];
    const { data } = await other.put('x', { name: 'Theirs', hosts: ['theirs.example'] });
    expect(await one.get(`/${data.id}`)).toMatchObject({ status: 404, code: 'brand.notFound' });
    expect(await one.get('/by-reference/x')).toMatchObject({ status: 404 });
    expect((await one.get()).data.map(({ id }: { id: number }) => id)).not.toContain(data.id);
    expect(await one.call('DELETE', `brands/${data.id}/images/logo`)).toMatchObject({ status: 404 });
    expect(await one.put('x', { name: 'Mine', hosts: ['theirs.example'] })).toMatchObject({
      status: 409,
      code: 'brand.hostTaken',
    });
    expect(await one.put('x', { name: 'Mine' })).toMatchObject({ status: 201 });
  });

  it('one without a reference is changed by its number, and never made so', async () => {
    const [{ call, get, reseller, trail }, other] = [await provider(), await provider()];
    const url = `brands/${reseller.brandId}`;
    const before = await get(`/${reseller.brandId}`);
    const { name, colours, settings } = before.data;
    const values = { name, colours, settings: { ...settings, termsUrl: 'https://north.example/terms' } };
    expect(await call('PUT', url, values)).toMatchObject({ status: 428 });
    expect(await call('PUT', url, values, { 'if-match': '"0"' })).toMatchObject({ status: 412 });
    const after = await call(
      'PUT',
      url,
      { ...values, hosts: before.data.hosts },
      { 'if-match': before.etag },
    );
    expect(after).toMatchObject({
      status: 200,
      data: { reference: null, settings: { termsUrl: 'https://north.example/terms' } },
    });
    expect(await call('PUT', url, { ...values, hosts: before.data.hosts })).toMatchObject({
      status: 200,
      etag: after.etag,
    });
    expect((await trail()).map(({ action }) => action)).toEqual(['brand.changed']);
    expect(await other.call('PUT', url, values, anyState)).toMatchObject({
      status: 404,
      code: 'brand.notFound',
    });
  });

  it.each([
    ['EUR', undefined, '€'],
    ['EUR', '$', '$'],
    ['EUR', '€', '€'],
    ['NZD', undefined, '$'],
    ['NZD', '$', '$'],
    ['NZD', 'NZ$', 'NZ$'],
  ])('shows %s with the symbol %s as %s', async (currency, said, shown) => {
    const { put } = await provider();
    const values = { name: 'Money', currency, ...(said && { settings: { currencySymbol: said } }) };
    const made = await put('money', values);
    expect(made).toMatchObject({ status: 201, data: { settings: { currencySymbol: shown } } });
    expect(await put('money', values)).toMatchObject({ status: 200, etag: made.etag });
  });

  it('twice at once makes one', async () => {
    const { put } = await provider();
    const both = await Promise.all([put('x', { name: 'X' }), put('x', { name: 'X' })]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 201]);
  });
});

describe('GET /v1/admin/brands', () => {
  it('pages through all, and tells the contrasts that colours come to', async () => {
    const { put, get, reseller } = await provider();
    await put('a', { name: 'A', colours: Array.from({ length: 7 }, () => '#777777') });
    await put('b', { name: 'B' });
    const first = await get('?limit=2');
    const rest = await get(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.data].map(({ reference }) => reference)).toEqual([null, 'a', 'b']);
    expect([first.data[0].id, rest.nextCursor]).toEqual([reseller.brandId, null]);
    const { contrasts } = (await get('/by-reference/a')).data;
    expect(contrasts.length).toBeGreaterThan(50);
    expect(contrasts.filter((one: { contrast: number; least: number }) => one.contrast < one.least)).toEqual(
      [],
    );
  });
});

describe('pictures of a brand', () => {
  it('are stored, shown and taken away; what is none is refused', async () => {
    const { put, call, trail } = await provider();
    const { data } = await put('x', { name: 'X' });
    const image = (content: Buffer, type = 'image/svg+xml', kind = 'logo') =>
      call('PUT', `brands/${data.id}/images/${kind}`, content, { 'content-type': type });
    expect(await image(svg)).toMatchObject({ status: 200, data: { images: { logo: true, banner: false } } });
    const shown = await fixture.app.inject(`/v1/brands/${data.id}/logo`);
    expect([shown.statusCode, shown.body]).toEqual([200, svg.toString()]);
    expect(await image(Buffer.from('<svg><script/></svg>'))).toMatchObject({
      status: 400,
      code: 'brand.refused',
    });
    expect(await image(svg, 'text/plain')).toMatchObject({ status: 415 });
    expect(await image(svg, 'image/png', 'photo')).toMatchObject({ status: 400, code: 'request.invalid' });
    expect(await image(Buffer.alloc(2_200_000), 'image/png', 'banner')).toMatchObject({ status: 413 });
    const gone = await call('DELETE', `brands/${data.id}/images/logo`);
    expect(gone).toMatchObject({ status: 200, data: { images: { logo: false } } });
    expect((await trail()).map(({ action }) => action)).toEqual([
      'brand.added',
      'brand.changed',
      'brand.changed',
    ]);
  });
});

describe('PUT /v1/admin/reseller', () => {
  it('changes name and settings where the caller has read them', async () => {
    const { call, trail, reseller } = await provider();
    const before = await call('GET', 'reseller');
    expect(before).toMatchObject({
      status: 200,
      data: { id: reseller.id, settings: { dataUsageChart: false } },
    });
    const values = { name: before.data.name, settings: { dataUsageChart: true } };
    expect(await call('PUT', 'reseller', values)).toMatchObject({ status: 428 });
    const after = await call('PUT', 'reseller', values, { 'if-match': before.etag });
    expect(after).toMatchObject({ status: 200, data: { settings: { dataUsageChart: true } } });
    expect(await call('PUT', 'reseller', values)).toMatchObject({ status: 200, etag: after.etag });
    expect(await call('PUT', 'reseller', { ...values, settings: {} }, anyState)).toMatchObject({
      data: { settings: { dataUsageChart: false } },
    });
    expect((await trail()).map(({ detail }) => detail)).toEqual([
      { 'before.dataUsageChart': null, 'after.dataUsageChart': 'true' },
      { 'before.dataUsageChart': 'true', 'after.dataUsageChart': null },
    ]);
  });
});
