import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { fakeClock } from '@counterfoil/testing/clock.ts';
import { startProcess, type TestProcess } from '@counterfoil/testing/processes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operatorCookie } from '../fixtures/operator.ts';
import { operatorPeople } from '../fixtures/operator-people.ts';
import { programKey } from '../fixtures/program.ts';
import { useFixture } from '../fixtures/test-fixture.ts';
import { serverMain } from '../processes/server-main.ts';

/** What is changed through the server of this process holds within two seconds in a server that is another process. */
const PROMISED_MS = 2_000;

const secretKey = randomBytes(32).toString('hex');
// The other process has the machine's clock.
const clock = fakeClock(new Date());
// Nobody is there to be asked about keys.
const nowhere = { GATEWAY_URL_STRIPE: 'http://127.0.0.1:9' };
const fixture = useFixture({
  clock,
  secretKey,
  modules: gatewayModules.filter(({ manifest }) => manifest.id === 'stripe'),
  env: () => nowhere,
});
const people = operatorPeople(fixture);

let [folder, elsewhere] = ['', ''];
let server: TestProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  const started = await startProcess({
    command: [serverMain(), 'serve', '--json'],
    env: {
      ...nowhere,
      DATABASE_URL: fixture.database.url,
      SECRET_KEY: secretKey,
      DATA_DIR: folder,
      DEMO: '0',
      PORT: '0',
      LOG_LEVEL: 'error',
    },
    ready: /^\{"ready"/,
  });
  server = started;
  elsewhere = (JSON.parse(started.readyLine) as { listening: string }).listening;
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Changes something here. */
async function here(key: string, method: 'PUT' | 'POST', url: string, payload?: object, isChange = false) {
  const headers = { authorization: `Bearer ${key}`, ...(isChange && { 'if-match': '*' }) };
  const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json().data;
}

/** Asks the other process. */
async function there(path: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(new URL(path, elsewhere), { headers });
  return { status: answer.status, ...((await answer.json()) as { data?: unknown; code?: string }) };
}

const seenThere = (look: () => Promise<unknown>) => expect.poll(look, { timeout: PROMISED_MS, interval: 50 });

it('a brand and the settings of a gateway account', async () => {
  const { reseller } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const bearer = { authorization: `Bearer ${key}` };
  const brand = () => there(`/v1/brands-settings?d=${reseller.host}`, {});
  expect(await brand()).toMatchObject({ status: 200 });
  const renamed = { name: 'Renamed', hosts: [reseller.host] };
  await here(key, 'PUT', `/v1/admin/brands/${reseller.brandId}`, renamed, true);
  await seenThere(brand).toMatchObject({ data: { companyName: 'Renamed' } });

  const path = '/v1/admin/gateway-accounts/by-gateway/stripe';
  const settings = (publishableKey: string) => ({ settings: { secretKey: 'sk_test_1', publishableKey } });
  const { id } = await here(key, 'PUT', path, settings('pk_test_1'));
  const account = async () => JSON.stringify((await there(`/v1/admin/gateway-accounts/${id}`, bearer)).data);
  await seenThere(account).toContain('pk_test_1');
  await here(key, 'PUT', path, settings('pk_test_2'), true);
  await seenThere(account).toContain('pk_test_2');
  await here(key, 'POST', `/v1/admin/gateway-accounts/${id}/disable`);
  await seenThere(account).toContain('outOfUse');
});

it('the role of an operator, an operator who is shut out, and a key that ends', async () => {
  const { reseller } = await fixture.seedPayer();
  const owner = await people.owner(reseller.id);
  const { email, cookie } = await operatorCookie(fixture, reseller.id, 'billing');
  const listed: { id: string; email: string }[] = (await owner.ask('GET /v1/operator/operators')).data;
  const path = `/v1/operator/operators/${listed.find((one) => one.email === email)?.id}`;
  const session = () => there('/v1/operator/session', { cookie });
  expect(await session()).toMatchObject({ status: 200, data: { role: 'billing' } });
  const change = { displayName: 'Olga', role: 'readOnly', resellerId: reseller.id };
  expect(await owner.withCode(`PUT ${path}`, change)).toMatchObject({ status: 200 });
  await seenThere(session).toMatchObject({ data: { role: 'readOnly' } });
  expect(await owner.ask(`POST ${path}/disable`)).toMatchObject({ status: 200 });
  await seenThere(session).toMatchObject({ status: 401 });

  const key = await programKey(fixture, reseller.id, 'crm');
  const customers = () => there('/v1/admin/customers', { authorization: `Bearer ${key}` });
  expect(await customers()).toMatchObject({ status: 200 });
  const keys: { id: string }[] = (await owner.ask('GET /v1/operator/api-keys')).data;
  expect(await owner.ask(`POST /v1/operator/api-keys/${keys[0]?.id}/revoke`)).toMatchObject({ status: 200 });
  await seenThere(customers).toMatchObject({ status: 401, code: 'apiKey.refused' });
});
