import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { fails, receiver } from '../../../test/fixtures/webhooks/receiver.ts';
import { webhookProgram } from '../../../test/fixtures/webhooks/webhook-program.ts';
import { addressFault, isPublicAddress } from './sending/address-guard.ts';

const fixture = useFixture({ env: () => ({ WEBHOOKS_ALLOW_PRIVATE: '1' }) });

async function provider() {
  const { reseller } = await fixture.seedPayer();
  return { reseller, ...(await webhookProgram(fixture, reseller.id)) };
}

const trail = async (resellerId: number) =>
  (
    await fixture.database
      .pool()
      .query(
        "select action, detail from audit_event where reseller_id = $1 and action like 'webhook%' order by id",
        [resellerId],
      )
  ).rows as { action: string; detail: { readonly [name: string]: unknown } }[];

it('makes, changes and deletes an endpoint; its secret is told once; all stands in the audit trail', async () => {
  const { endpoints, reseller } = await provider();
  const url = 'https://receiver.example/hook?token=123';
  const made = await endpoints('POST', '', { url, types: ['invoice.paid'], description: 'Books' });
  expect(made.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id } = made.data;
  expect(await endpoints('POST', '', { url: 'ftp://receiver.example/' })).toMatchObject({
    status: 400,
    code: 'webhookEndpoint.address',
    message: 'It is no address that begins with https://',
  });
  expect((await endpoints('POST', '', { url })).code).toBe('webhookEndpoint.addressTaken');
  const shown = await endpoints('GET', `/${id}`);
  expect(shown.data).not.toHaveProperty('secret');
  expect([shown.etag, shown.data.types, shown.data.state]).toEqual([made.etag, ['invoice.paid'], 'enabled']);
  const change = { state: 'paused', types: [] };
  expect((await endpoints('PATCH', `/${id}`, change)).status).toBe(428);
  expect((await endpoints('PATCH', `/${id}`, change, { 'if-match': '"0"' })).status).toBe(412);
  const changed = await endpoints('PATCH', `/${id}`, change, { 'if-match': made.etag });
  expect([changed.status, changed.data.state, changed.data.types]).toEqual([200, 'paused', []]);
  // What is so already is never refused, so that a lost answer is asked for again.
  expect((await endpoints('PATCH', `/${id}`, change, { 'if-match': made.etag })).status).toBe(200);
  expect((await endpoints('POST', `/${id}/test`)).code).toBe('webhookEndpoint.notEnabled');
  await endpoints('POST', `/${id}/rotate-secret`, {});
  expect((await endpoints('GET')).data[0].previousSecretUntil).toBe('2026-03-03T09:00:00.000Z');
  expect((await endpoints('DELETE', `/${id}`)).status).toBe(204);
  expect((await endpoints('GET', `/${id}`)).code).toBe('webhookEndpoint.notFound');
  const found = await trail(reseller.id);
  expect(found.map(({ action }) => action.replace('webhookEndpoint.', ''))).toEqual([
    'added',
    'changed',
    'secretRotated',
    'removed',
  ]);
  expect(found[1]?.detail).toMatchObject({
    'before.state': 'enabled',
    'after.state': 'paused',
    'before.types': 'invoice.paid',
  });
  expect(JSON.stringify(found)).not.toMatch(/token=123|whsec_/);
});

it('sends a test at once and tells what came of it; sends again by hand; keeps to its own', async () => {
  const { endpoints, listen } = await provider();
  const other = await provider();
  const there = await receiver();
  const { id } = await listen(there.url);
  const tested = await endpoints('POST', `/${id}/test`);
  expect(tested.data).toMatchObject({ type: 'webhook.test', state: 'delivered', status: 204, tries: 1 });
  there.become(fails);
  const failed = await endpoints('POST', `/${id}/test`);
  expect(failed.data).toMatchObject({ state: 'waiting', status: 500, problem: 'it answered 500' });
  const { messageId } = tested.data;
  const path = `/${id}/deliveries/${messageId}`;
  expect((await endpoints('POST', `${path}/redeliver`)).data.state).toBe('waiting');
  expect((await endpoints('GET', path)).data.attempts).toMatchObject([{ number: 1, status: 204 }]);
  const page = await endpoints('GET', `/${id}/deliveries?limit=1`);
  const rest = await endpoints('GET', `/${id}/deliveries?limit=1&cursor=${page.nextCursor}`);
  expect([page.data[0].messageId, rest.data[0].messageId, rest.nextCursor]).toEqual([
    failed.data.messageId,
    messageId,
    null,
  ]);
  for (const [query, n] of [
    ['state=waiting', 2],
    ['state=delivered', 0],
    ['type=webhook.test', 2],
    ['type=invoice.paid', 0],
    [`object=${failed.data.objectId}`, 1],
  ] as const)
    expect([query, (await endpoints('GET', `/${id}/deliveries?${query}`)).data.length]).toEqual([query, n]);
  expect((await endpoints('GET', `/${id}/deliveries/${newId()}`)).code).toBe('webhookDelivery.notFound');
  for (const [method, theirs] of [
    ['GET', `/${id}`],
    ['DELETE', `/${id}`],
    ['GET', path],
    ['POST', `${path}/redeliver`],
    ['POST', `/${id}/test`],
  ] as const)
    expect((await other.endpoints(method, theirs)).status).toBe(404);
});

it('takes twenty endpoints of a reseller and no more', async () => {
  const { endpoints, listen } = await provider();
  for (let n = 0; n < 20; n += 1) await listen(`https://receiver.example/${n}`);
  expect((await endpoints('POST', '', { url: 'https://receiver.example/20' })).code).toBe(
    'webhookEndpoint.tooMany',
  );
});

it.each<readonly [url: string, text: string]>([
  ['http://receiver.example/', 'It has to begin with https://'],
  ['ftp://receiver.example/', 'It is no address that begins with https://'],
  ['receiver', 'It is no address that begins with https://'],
  ['https://user:pass@receiver.example/', 'It must not hold a user or a password'],
  ['https://receiver.example/#a', 'It must not hold a fragment (#)'],
  ...[
    'localhost',
    'a.localhost',
    'db.internal',
    '10.1.2.3',
    '0x7f.1',
    '[::1]',
    '[fd00::1]',
    '169.254.169.254',
  ].map(
    (host) =>
      [`https://${host}/`, 'It is inside a private network; WEBHOOKS_ALLOW_PRIVATE=1 allows that'] as const,
  ),
])('refuses %s', (url, text) => {
  expect(addressFault(url, false)).toBe(text);
});

it.each([
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['100.64.0.1', false],
  ['192.168.0.9', false],
  ['198.51.100.7', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fe80::1', false],
  ['receiver.example', false],
])('whether %s is on the internet: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
