import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type CasesReport, keyModeOf } from '@counterfoil/gateways/cases/case.ts';
import { casesOf } from '@counterfoil/gateways/cases/list.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { casesData } from '@counterfoil/gateways/stripe/cases-data.ts';
import { apiVersion, manifest } from '@counterfoil/gateways/stripe/manifest.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { standOf } from '../../../features/admin/gateway-verifications.ts';
import { keyModeFor } from '../../../features/admin-gateways/verify.ts';
import { VERSION } from '../../../version.ts';

const cli = useCommands();
const { run, json } = cli;
const reseller = ['--reseller', '4100'] as const;

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await launchSandbox({ directory: join(cli.folder, 'sandbox') });
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  vi.stubEnv('GATEWAY_URL_STRIPE', sandbox.url);
});

const rows = async <Row extends object>(text: string): Promise<Row[]> =>
  (await cli.database.pool().query<Row>(text)).rows;

const stored = () =>
  rows<{
    passed: number;
    failed: number;
    is_whole: boolean;
    elsewhere: string | null;
    with_given_keys: boolean;
  }>('select * from gateway_verification order by ended_at');

interface Listed {
  readonly accounts: readonly {
    readonly verification: { readonly counts: boolean; readonly text: string };
  }[];
}
const listed = async () => (await json<Listed>('gateway', 'list', ...reseller)).accounts[0]?.verification;

/** Whether anything was sent at all. */
async function silentServer() {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () => server.close(),
  };
}

describe('gateway verify', () => {
  it('needs a gateway', async () => {
    await json('reseller', 'add', '--id', '4100', '--name', 'Northline');
    expect(await run('gateway', 'verify', ...reseller)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no gateway in use'),
    });
    await json('brand', 'add', ...reseller, '--name', 'Northline', '--currency', 'EUR');
    const keys = ['--set', 'secretKey=sk_test_northline', '--set', 'publishableKey=pk_test_northline'];
    const hooks = ['--set', 'webhookSecrets=whsec_northline'];
    await json('gateway', 'set', ...reseller, '--gateway', 'stripe', ...keys, ...hooks);
    expect(await listed()).toMatchObject({ counts: false, text: 'never' });
  });

  it('names the cases there are', async () => {
    const { code, err } = await run('gateway', 'verify', ...reseller, '--case', 'nonsense');
    expect(code).toBe(2);
    expect(err).toContain('refund-parts');
    expect(await run('gateway', 'verify', ...reseller, '--currency', 'XXQ')).toMatchObject({ code: 2 });
  });

  it('sends nothing with live keys, stored or given', async () => {
    const server = await silentServer();
    vi.stubEnv('GATEWAY_URL_STRIPE', server.url);
    for (const live of [
      'secretKey=sk_live_northline',
      'secretKey=rk_live_n',
      'publishableKey=pk_live_northline',
    ]) {
      const refused = await run('gateway', 'verify', ...reseller, '--set', live, '--yes-these-are-test-keys');
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('are live: nothing was sent') });
      expect(refused.err).not.toContain('northline');
    }
    expect(server.requests()).toBe(0);
    server.stop();
    expect(await stored()).toEqual([]);
  });

  it('passes all cases against the sandbox, records it with the audit trail, and says that this was no provider', async () => {
    const { code, out } = await run('gateway', 'verify', ...reseller);
    expect(code, out).toBe(0);
    const all = casesOf(manifest, casesData).filter(({ needs }) => needs === undefined).length;
    expect(out).toContain(`Passed: ${all} of ${all}.`);
    expect(out).toContain('Not checked by this command:');
    expect(out).toContain('it proves nothing about it');
    expect(out).toMatch(/refund-parts +passed +\d+ ms +pi_\w+ re_\w+ re_\w+/);
    expect(out).not.toMatch(/sk_test|whsec|tok_|northline/);
    expect(await stored()).toMatchObject([
      { passed: all, failed: 0, is_whole: true, with_given_keys: false, elsewhere: sandbox.url },
    ]);
    const [audit] = await rows<{ detail: object; reseller_id: number }>(
      "select detail, reseller_id from audit_event where action = 'gateway.verified'",
    );
    expect(audit).toMatchObject({
      reseller_id: 4100,
      detail: { gateway: 'stripe', apiVersion, passed: all },
    });

    const today = new Date().toISOString().slice(0, 10);
    const text = `${today}, ${all} of ${all}, API ${apiVersion}, version ${VERSION}; at ${sandbox.url}, not at the provider`;
    expect(await listed()).toMatchObject({ counts: false, text });
    const doctor = await json<{ findings: { what: string; is: string; found: string }[] }>('doctor');
    expect(doctor.findings.find(({ what }) => what === 'verified for 4100')).toMatchObject({
      is: 'warning',
      found: `Stripe: ${text}`,
      remedy: expect.stringContaining("'counterfoil gateway verify"),
    });
  });

  it('counts at the provider with the API version of today only', async () => {
    await rows('update gateway_verification set elsewhere = null');
    expect((await listed())?.counts).toBe(true);
    const findings = async () =>
      (await json<{ findings: { what: string; is: string }[] }>('doctor')).findings;
    expect(await findings()).toContainEqual(expect.objectContaining({ what: 'verified for 4100', is: 'ok' }));
    await rows("update gateway_verification set api_version = '2026-01-01.older'");
    expect(await listed()).toMatchObject({
      counts: false,
      text: expect.stringContaining(`counts no more: this program speaks ${apiVersion}`),
    });
    expect(await findings()).toContainEqual(
      expect.objectContaining({ what: 'verified for 4100', is: 'warning' }),
    );
    await rows(`update gateway_verification set api_version = '${apiVersion}'`);
  });

  it('runs some cases by name, with keys for this run, and keeps the whole run as the last one', async () => {
    const key = join(cli.folder, 'key');
    await writeFile(key, 'sk_test_another\n');
    const report = await json<CasesReport>(
      'gateway',
      'verify',
      ...reseller,
      '--case',
      'pay-once',
      '--case',
      'find-scan',
      '--currency',
      'jpy',
      '--set',
      `secretKey=@${key}`,
    );
    expect(report.results.map((one) => [one.case, one.is])).toEqual([
      ['pay-once', 'passed'],
      ['find-scan', 'passed'],
    ]);
    expect((await stored()).at(-1)).toMatchObject({ passed: 2, is_whole: false, with_given_keys: true });
    expect((await listed())?.counts).toBe(true);
    const answer = await fetch(`${sandbox.url}/_sandbox/charges`);
    const { charges } = (await answer.json()) as { charges: { currency: string; minor: number }[] };
    // Not by its place: what an earlier case sent late may be recorded after it.
    expect(charges).toContainEqual(expect.objectContaining({ currency: 'JPY', minor: 500 }));
  });

  it('fails with refused keys and takes the mark away; unreachable, it records nothing', async () => {
    const before = (await stored()).length;
    vi.stubEnv('GATEWAY_URL_STRIPE', await nowhere());
    const unreached = await run('gateway', 'verify', ...reseller);
    expect(unreached.code).toBe(1);
    expect(unreached.out).toMatch(/keys +UNREACHABLE/);
    expect(unreached.out).toMatch(/refund-parts +not run/);
    expect(unreached.out).toContain('Nothing is recorded');
    expect(await stored()).toHaveLength(before);

    vi.stubEnv('GATEWAY_URL_STRIPE', sandbox.url);
    const refused = await run('gateway', 'verify', ...reseller, '--set', 'secretKey=sk_test_invalid');
    expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/keys +FAILED/) });
    expect((await stored()).at(-1)).toMatchObject({ passed: 0, failed: 1, is_whole: true });
    expect((await listed())?.text).toContain('not passed: keys, keys-refused');
  });

  it('a case that fails ends with 1', async () => {
    const order = { gateway: 'stripe', operation: 'charge', mode: 'partial', times: 1, minor: 100 };
    await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'POST', body: JSON.stringify(order) });
    const { code, out } = await run('gateway', 'verify', ...reseller, '--case', 'pay-once');
    expect(code).toBe(1);
    expect(out).toMatch(/pay-once +FAILED .*another amount was captured/);
  });
});

describe('keys', () => {
  it('are test keys only where both are', () => {
    const [stripe] = gatewayModules.filter(({ manifest }) => manifest.id === 'stripe');
    if (stripe === undefined) throw new Error('there is stripe');
    const mode = (secretKey: string, publishableKey: string) =>
      keyModeOf(stripe.manifest, { secretKey, publishableKey });
    expect(mode('sk_test_a', 'pk_test_a')).toBe('test');
    expect(mode('rk_test_a', 'pk_test_a')).toBe('test');
    expect(mode('sk_live_a', 'pk_test_a')).toBe('live');
    expect(mode('sk_test_a', 'pk_live_a')).toBe('live');
    const { keyMode: _keyMode, ...silent } = stripe.manifest;
    const settings = { secretKey: 'sk_live_a' };
    expect(keyModeOf(silent, settings)).toBe('unknown');
    const account = { module: { ...stripe, manifest: silent }, settings };
    expect(keyModeFor(account, false)).toEqual({ doubt: 'unknown' });
    expect(keyModeFor(account, true)).toBe('word');
    expect(keyModeFor({ module: stripe, settings }, true)).toEqual({ doubt: 'live' });
  });

  it('of a gateway this program has no more are not said to be verified', () => {
    const last = { at: new Date(0), apiVersion: '1', programVersion: '1', elsewhere: null };
    const all = { ...last, passed: 1, of: 1, notAvailable: 0, open: [] };
    expect(standOf(all, { apiVersion: '1' }).counts).toBe(true);
    expect(standOf(all, undefined).counts).toBe(false);
    expect(standOf({ ...all, passed: 0, open: ['keys'] }, { apiVersion: '1' }).counts).toBe(false);
  });
});
