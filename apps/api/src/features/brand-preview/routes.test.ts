import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

async function provider() {
  const { reseller } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const preview = (values: object, id = reseller.brandId) =>
    fixture.app.inject({
      method: 'POST',
      url: `/v1/admin/brands/${id}/previews`,
      headers: { authorization: `Bearer ${key}` },
      payload: values,
    });
  return { reseller, resellerKey: key, preview };
}

const draft = {
  name: 'Kestrel',
  colours: ['#ffffff', '#7ac143', '#a3a89b', '#e6f4d9', '#23452b', '#f4faee', '#e6ebe0'],
  settings: { invoiceLabelSingular: 'Bill', termsUrl: 'https://kestrel.example/terms' },
};

it('a draft is drawn as mail and letter for an hour, in both themes; nothing that is published changes', async () => {
  const { reseller, preview } = await provider();
  const made = await preview(draft);
  expect(made.statusCode).toBe(201);
  const { url, expiresAt } = made.json().data;
  expect(Date.parse(expiresAt) - fixture.clock.now().getTime()).toBe(3_600_000);
  const mail = await fixture.app.inject(`${url}/mail?theme=dark`);
  expect(mail.body).toMatch(/Kestrel.*Bill 2026-0417.*kestrel\.example\/terms/s);
  expect(mail.body).toContain('@media all{');
  expect(mail.headers['content-security-policy']).toMatch(/frame-ancestors 'self'; sandbox$/);
  expect((await fixture.app.inject(`${url}/mail`)).body).toContain('@media not all{');
  const letter = await fixture.app.inject(`${url}/letter`);
  expect([
    letter.statusCode,
    letter.headers['content-type'],
    letter.rawPayload.subarray(0, 5).toString(),
  ]).toEqual([200, 'application/pdf', '%PDF-']);
  const { rows } = await fixture.database
    .pool()
    .query('select name from brand where id = $1', [reseller.brandId]);
  expect(rows).not.toEqual([{ name: 'Kestrel' }]);
  fixture.clock.advance(3_600_000);
  expect((await fixture.app.inject(`${url}/mail`)).json()).toMatchObject({
    status: 404,
    code: 'brand.notFound',
  });
  await preview(draft);
  const { rows: kept } = await fixture.database
    .pool()
    .query('select count(*)::int as n from brand_preview where brand_id = $1', [reseller.brandId]);
  expect(kept).toEqual([{ n: 1 }]);
});

it('a draft that could not be published is refused as there, and another reseller’s brand does not exist', async () => {
  const [one, other] = [await provider(), await provider()];
  expect((await one.preview({ ...draft, currency: 'XYZ' })).json()).toMatchObject({ code: 'brand.refused' });
  expect((await one.preview(draft, other.reseller.brandId)).json()).toMatchObject({
    status: 404,
    code: 'brand.notFound',
  });
  for (const path of ['mail', 'letter'])
    expect((await fixture.app.inject(`/brand-preview/unknown/${path}`)).statusCode).toBe(404);
});

it('a mail of a draft is drawn in its own words, and its subject is one line', async () => {
  const { preview } = await provider();
  const own = { subject: 'Für {companyName}', text: 'One.\n\n<b>Two</b>' };
  const { url } = (await preview({ ...draft, settings: { mailTexts: { reset: own } } })).json().data;
  const mail = await fixture.app.inject(`${url}/mail?kind=reset`);
  expect(mail.body).toContain('&lt;b&gt;Two&lt;/b&gt;');
  expect((await fixture.app.inject(`${url}/mail?kind=reset&only=subject`)).body).toBe('Für Kestrel');
  const injected = { subject: 'Hello\r\nBcc: all@example.com' };
  expect((await preview({ ...draft, settings: { mailTexts: { reset: injected } } })).statusCode).toBe(400);
});

it('the standard words of every mail are told, with what may stand in braces', async () => {
  const { resellerKey } = await provider();
  const told = await fixture.app.inject({
    url: '/v1/admin/mail-texts',
    headers: { authorization: `Bearer ${resellerKey}` },
  });
  expect(told.json().data).toContainEqual(
    expect.objectContaining({
      kind: 'reset',
      placeholders: ['companyName', 'username'],
      heading: 'Choose a new password',
    }),
  );
});
