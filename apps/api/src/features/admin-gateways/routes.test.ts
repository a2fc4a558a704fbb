import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operatorCookie } from '../../../test/fixtures/operator.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { buildApp } from '../../build-app.ts';
import type { App } from '../../http/app-type.ts';
import { longJobs } from '../../jobs/jobs.ts';
import type { Runtime } from '../../runtime.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await launchSandbox({ directory: mkdtempSync(join(tmpdir(), 'counterfoil-sandbox-')) });
});
afterAll(() => sandbox.stop());
const fixture = useFixture({
  modules: gatewayModules,
  env: () => ({ GATEWAY_URL_STRIPE: sandbox.url }),
});

const keys = { secretKey: 'sk_test_northline', publishableKey: 'pk_test_northline' };
const path = '/v1/admin/gateway-accounts';
const put = `PUT ${path}/by-gateway/stripe`;

let resellerId: number;
let key: string;
beforeEach(async () => {
  const reseller = await fixture.make.reseller();
  resellerId = reseller.id;
  key = await programKey(fixture, resellerId, 'erp');
});

interface Over {
  readonly app?: App;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(call: string, payload?: object, over: Over = {}) {
  const [method = '', url = ''] = call.split(' ');
  const answer = await (over.app ?? fixture.app).inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${over.key ?? key}`, ...over.headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, etag: answer.headers['etag'], text: answer.body, ...answer.json() };
}

const state = (etag: unknown) => ({ headers: { 'if-match': String(etag) } });
const anyState = state('*');

const rows = async (text: string, ...values: readonly unknown[]) =>
  (await fixture.database.pool().query(text, [...values])).rows;
const trail = () =>
  rows(
    "select action, actor, detail from audit_event where reseller_id = $1 and action like 'gateway%' order by id",
    resellerId,
  );

describe('gateway accounts', () => {
  it('are changed in the state that was read, which the caller has to name; one out of use is left as it is', async () => {
    expect(await ask(put, { settings: keys }, state('"0"'))).toMatchObject({ status: 412 });
    const made = await ask(put, { settings: keys });
    expect(made.etag).toBe((await ask(`GET ${path}/${made.data.id}`)).etag);
    // A secret counts too, though it is never told.
    const rotated = { settings: { secretKey: 'sk_test_second' } };
    fixture.clock.advance(1_000);
    expect(await ask(put, rotated)).toMatchObject({ status: 428, code: 'precondition.required' });
    const second = await ask(put, rotated, state(made.etag));
    expect(second).toMatchObject({ status: 200 });
    expect(second.etag).not.toBe(made.etag);
    expect(await ask(put, { settings: keys }, state(made.etag))).toMatchObject({
      status: 412,
      code: 'precondition.failed',
    });
    // The answer was lost, and the same is sent again.
    expect(await ask(put, rotated, state(made.etag))).toMatchObject({ status: 200, etag: second.etag });
    await ask(`POST ${path}/${made.data.id}/disable`);
    const other = await ask(put, { settings: keys });
    expect(other).toMatchObject({ status: 201 });
    expect(other.data.id).not.toBe(made.data.id);
    expect(await ask(`GET ${path}/${made.data.id}`)).toMatchObject({ etag: second.etag });
  });

  it('tell what each gateway takes, from its manifest', async () => {
    const { data } = await ask('GET /v1/admin/gateways');
    const named = (gateway: string, name: string) =>
      data
        .find((one: { gateway: string }) => one.gateway === gateway)
        .settings.find((one: { name: string }) => one.name === name);
    expect(named('stripe', 'secretKey')).toMatchObject({ secret: true, required: true, kind: 'text' });
    expect(named('stripe', 'webhookSecrets')).toMatchObject({ required: false, kind: 'list', default: [] });
    expect(named('stripe', 'separateInputs')).toMatchObject({ kind: 'flag', default: false });
    expect(named('nexio', 'cardEntry')).toMatchObject({
      kind: 'choice',
      values: ['providerFrame', 'ownFieldsEncrypted'],
      default: 'providerFrame',
    });
  });

  it('are set with secrets that are never told, kept where they are left out, and taken away by null', async () => {
    const made = await ask(put, { settings: { ...keys, webhookSecrets: ['whsec_one'] } });
    expect(made).toMatchObject({
      status: 201,
      data: {
        gateway: 'stripe',
        state: 'working',
        keyMode: 'test',
        elsewhere: sandbox.url,
        settings: { publishableKey: 'pk_test_northline', separateInputs: false },
        verification: 'never',
      },
    });
    const at = fixture.clock.now().toISOString();
    expect(made.data.secrets).toEqual([
      { name: 'secretKey', isSet: true, setAt: at },
      { name: 'webhookSecrets', isSet: true, setAt: at },
    ]);
    fixture.clock.advance(60_000);
    const changed = await ask(
      put,
      { settings: { separateInputs: true, webhookSecrets: null } },
      state(made.etag),
    );
    expect(changed).toMatchObject({
      status: 200,
      data: {
        id: made.data.id,
        settings: { separateInputs: true },
        secrets: [
          { isSet: true, setAt: at },
          { isSet: false, setAt: null },
        ],
      },
    });
    expect(await ask(put, { settings: { separateInputs: true } })).toMatchObject({ status: 200 });
    const lines = await trail();
    expect(lines).toMatchObject([
      {
        action: 'gateway.set',
        actor: 'key:erp',
        detail: { isNew: true, secretsSet: 'secretKey webhookSecrets' },
      },
      {
        detail: {
          'before.separateInputs': 'false',
          'after.separateInputs': 'true',
          secretsSet: 'webhookSecrets',
        },
      },
    ]);
    expect(JSON.stringify([made.text, changed.text, lines])).not.toMatch(/sk_test|whsec/);
  });

  it.each([
    ['an unknown setting', { nonsense: 'x' }, /no setting 'nonsense'/],
    [
      'a value that does not fit',
      { secretKey: 'northline' },
      /'secretKey' does not fit: it must be a secret/,
    ],
    ['a needed one that is taken away', { secretKey: null }, /needs these settings.*secretKey/],
  ])('refuse %s, without its value', async (_what, settings, message) => {
    await ask(put, { settings: keys });
    const refused = await ask(put, { settings }, anyState);
    expect(refused).toMatchObject({
      status: 400,
      code: 'gateway.refused',
      message: expect.stringMatching(message),
    });
    expect(refused.text).not.toContain('northline');
    expect(await trail()).toHaveLength(1);
  });

  it('hold in another process at once, and one takes the place of the other', async () => {
    const { accounts } = await buildApp(fixture.deps, { modules: gatewayModules });
    const other = await buildApp(fixture.deps, { modules: gatewayModules });
    try {
      const { data: first } = await ask(put, { settings: keys }, other);
      expect((await accounts.activeFor(resellerId))?.publicConfig).toMatchObject({ separateInputs: false });
      await ask(put, { settings: { separateInputs: true } }, { ...other, ...anyState });
      expect((await accounts.activeFor(resellerId))?.publicConfig).toMatchObject({ separateInputs: true });
      const bpoint = { username: 'u', password: 'p', merchantNumber: '5353109000000000' };
      const { data: second } = await ask(`PUT ${path}/by-gateway/bpoint`, { settings: bpoint }, other);
      expect((await accounts.activeFor(resellerId))?.id).toBe(second.id);
      expect(await ask(`POST ${path}/${first.id}/enable`, undefined, other)).toMatchObject({ status: 200 });
      expect((await accounts.activeFor(resellerId))?.id).toBe(first.id);
      const { data: listed } = await ask(`GET ${path}`);
      expect(
        listed.map(({ gateway, state }: { gateway: string; state: string }) => [gateway, state]),
      ).toEqual([
        ['stripe', 'working'],
        ['bpoint', 'outOfUse'],
      ]);
      await ask(`POST ${path}/${first.id}/disable`, undefined, other);
      expect(await accounts.activeFor(resellerId)).toBeUndefined();
      expect((await trail()).map(({ action }) => action)).toEqual([
        'gateway.set',
        'gateway.set',
        'gateway.set',
        'gateway.enabled',
        'gateway.disabled',
      ]);
    } finally {
      await other.app.close();
    }
  });

  it('say what to enter at the provider, as it is here', async () => {
    const { data } = await ask(put, { settings: keys });
    const [brand] = data.brands;
    await rows(
      "insert into brand_host (host, brand_id, is_main) values ('main.example', $1, false)",
      brand.id,
    );
    const { data: shown } = await ask(`GET ${path}/${data.id}`);
    const hosts = (
      await rows('select host from brand_host where brand_id = $1 order by is_main desc, host', brand.id)
    ).map(({ host }) => host);
    const of = (host: string) =>
      Object.assign(new URL(fixture.deps.config.publicUrl), { hostname: host }).origin;
    expect(shown.addresses).toEqual([
      { purpose: 'webhook', address: `${of(hosts[0])}/v1/webhooks/stripe/${resellerId}` },
      ...hosts.map((host) => ({ purpose: 'origin', address: of(host) })),
    ]);
  });

  it('are checked at the gateway, in plain words', async () => {
    const { data } = await ask(put, { settings: keys });
    const check = async () => (await ask(`POST ${path}/${data.id}/check`)).data;
    expect(await check()).toMatchObject({ is: 'working', message: 'Stripe: the keys work.' });
    await ask(put, { settings: { secretKey: 'sk_test_invalid' } }, anyState);
    expect(await check()).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('refuses the keys'),
    });
    await rows("update gateway_account set config = '{}' where id = $1", data.id);
    expect(await check()).toMatchObject({ is: 'misconfigured' });
  });

  it('of another reseller are not there, and who may only read changes nothing', async () => {
    const { data } = await ask(put, { settings: keys });
    const stranger = await fixture.make.reseller();
    const theirs = await programKey(fixture, stranger.id, 'theirs');
    for (const call of [
      `GET ${path}/${data.id}`,
      `POST ${path}/${data.id}/enable`,
      `POST ${path}/${data.id}/disable`,
      `POST ${path}/${data.id}/check`,
      `GET ${path}/${data.id}/verification`,
    ])
      expect(await ask(call, undefined, { key: theirs }), call).toMatchObject({
        status: 404,
        code: 'gateway.notFound',
      });
    expect((await ask(`GET ${path}`, undefined, { key: theirs })).data).toEqual([]);
    const { cookie } = await operatorCookie(fixture, resellerId, 'billing');
    const refused = await fixture.app.inject({
      method: 'POST',
      url: `${path}/${data.id}/disable`,
      headers: { cookie },
    });
    expect(refused.json()).toMatchObject({ status: 403, code: 'operator.role' });
  });
});

describe('a verification', () => {
  const job = () => {
    const runtime = { ...fixture.deps, databaseUrl: fixture.database.url } as Runtime;
    const found = longJobs(runtime, gatewayModules).find(({ name }) => name === 'gateway-verification');
    if (found === undefined) throw new Error('no such job');
    return found;
  };
  const account = async (settings: object = keys) => (await ask(put, { settings })).data.id as string;
  const queued = async () =>
    (await rows('select id from gateway_verification_run where ended_at is null')).map(({ id }) =>
      String(id),
    );

  it('is made by a worker, seen case by case, recorded as by command, and one at a time', async () => {
    const id = await account();
    const before = (await ask(`GET ${path}/${id}/verification`)).data;
    expect(before).toMatchObject({ state: 'none', askedAt: null });
    expect(before.cases.length).toBeGreaterThan(20);
    const order = { cases: ['keys', 'keys-refused', 'pay-once'] };
    expect(await ask(`POST ${path}/${id}/verification`, order)).toMatchObject({
      status: 202,
      data: { state: 'waiting', askedBy: 'key:erp', isWhole: false, cases: [{ is: 'waiting' }, {}, {}] },
    });
    expect(await ask(`POST ${path}/${id}/verification`, order)).toMatchObject({
      status: 409,
      code: 'gateway.verifying',
    });
    const [run] = await queued();
    await job().run({ id: run });
    // A second worker that is given the same does nothing.
    await job().run({ id: run });
    const { data } = await ask(`GET ${path}/${id}/verification`);
    expect(data).toMatchObject({ state: 'ended', isRecorded: true });
    expect(data.cases.map((one: { case: string; is: string }) => [one.case, one.is])).toEqual([
      ['keys', 'passed'],
      ['keys-refused', 'passed'],
      ['pay-once', 'passed'],
    ]);
    expect(data.notChecked).not.toEqual([]);
    expect(
      await rows(
        'select is_whole, passed, elsewhere from gateway_verification where gateway_account_id = $1',
        id,
      ),
    ).toEqual([{ is_whole: false, passed: 3, elsewhere: sandbox.url }]);
    expect((await trail()).slice(1)).toMatchObject([
      { action: 'gateway.verificationAsked', actor: 'key:erp' },
      { action: 'gateway.verified', actor: 'key:erp', detail: { passed: 3, keyMode: 'test' } },
    ]);
  });

  it('sends nothing with live keys, nor with keys nobody vouches for', async () => {
    const live = await account({ secretKey: 'sk_live_northline', publishableKey: 'pk_live_northline' });
    const order = (id: string, body: object = {}) => ask(`POST ${path}/${id}/verification`, body);
    expect(await order(live, { areTestKeys: true })).toMatchObject({ status: 409, code: 'gateway.liveKeys' });
    const silent = { apiLoginId: 'u', transactionKey: 'p', publicClientKey: 'k' };
    const { data } = await ask(`PUT ${path}/by-gateway/authorize-net`, { settings: silent });
    expect(await order(data.id)).toMatchObject({ status: 409, code: 'gateway.unknownKeys' });
    expect(await order(data.id, { areTestKeys: true })).toMatchObject({ status: 202 });
    expect(await queued()).toHaveLength(1);
    // Test keys of the same account, for this run only: kept sealed until it ends.
    expect(await order(live, { settings: keys, cases: ['keys'] })).toMatchObject({ status: 202 });
    const [run] = await rows(
      'select id, settings from gateway_verification_run where gateway_account_id = $1',
      live,
    );
    expect(String(run.settings)).not.toContain('northline');
    await job().run({ id: run.id });
    expect((await ask(`GET ${path}/${live}/verification`)).data).toMatchObject({
      state: 'ended',
      cases: [{ case: 'keys', is: 'passed' }],
    });
    expect(await rows('select settings from gateway_verification_run where id = $1', run.id)).toEqual([
      { settings: null },
    ]);
  });

  it('that its worker has left is told as broken, and another may begin', async () => {
    const id = await account();
    await ask(`POST ${path}/${id}/verification`, {});
    await rows(
      'update gateway_verification_run set begun_at = created_at, seen_at = created_at where gateway_account_id = $1',
      id,
    );
    fixture.clock.advance(60_000);
    expect((await ask(`GET ${path}/${id}/verification`)).data).toMatchObject({ state: 'broken' });
    expect(await ask(`POST ${path}/${id}/verification`, { cases: ['keys'] })).toMatchObject({ status: 202 });
    expect(await ask(`POST ${path}/${id}/verification`, { cases: ['nonsense'] })).toMatchObject({
      code: 'gateway.refused',
      message: expect.stringContaining("no case 'nonsense'"),
    });
  });
});
