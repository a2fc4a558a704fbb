import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { addDays, dayOfUtcMs } from '@counterfoil/domain/time/day.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { autoPayRound, type Done, type Step } from '../../src/features/auto-pay/service.ts';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import { newPerson } from '../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';

/** Auto-pay through the real adapter against the sandbox: declines by class, and processes that die between two steps. */
const sandbox = useSandboxFixture();
const DAY_MS = 24 * 3_600_000;
const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await sandbox.fixture.database.pool().query(text, values)).rows as T[];
const now = () => sandbox.fixture.clock.now().getTime();
const inDays = (days: number) => addDays(dayOfUtcMs(now()), days);

beforeAll(async () => {
  // To noon, so that a day more is noon again.
  await sandbox.advance(DAY_MS - ((now() - DAY_MS / 2) % DAY_MS));
});

const deps = () => ({ ...sandbox.fixture.engine, publicUrl: new URL('http://localhost:3000') });
const round = () => autoPayRound(deps(), { resellerId: sandbox.customer.resellerId });

/** A customer with a saved card who agreed to be charged. */
async function payer(number: string) {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call } = await newPerson(sandbox);
  const settled = async (reqUid: string) => {
    const result = () => call('POST', '/v1/ec/payments/setup-intent/result', { reqUid });
    await expect
      .poll(async () => (await result()).json().data?.status, { timeout: 10_000 })
      .toBe('succeeded');
  };
  const saved = await call('POST', '/v1/ec/payments/cards', { token: await sandbox.cardToken(number) });
  const { status, redirectToUrl, reqUid } = saved.json().data;
  if (status === 'requires_action') {
    // The holder's answer on the bank's page.
    const outcome = new URLSearchParams({ outcome: 'complete' });
    await fetch(redirectToUrl, { method: 'POST', redirect: 'manual', body: outcome });
  }
  if (status !== 'succeeded') await settled(reqUid);
  const consent = await call('PUT', '/v1/ec/allow-reseller-charge', { allowResellerCharge: true });
  expect(consent.statusCode, consent.body).toBe(200);
  const bill = (minor: bigint) =>
    fixture.seedPayable(
      { id: customer.id, resellerId },
      { subtotalMinor: minor, taxMinor: 0n, dueOn: inDays(3) },
    );
  return { id: customer.id, bill };
}

const planOf = async (customerId: string) =>
  (
    await rows<{ state: string; reason: string | null; runs: number }>(
      'select state, reason, runs from autopay_plan where customer_id = $1',
      [customerId],
    )
  )[0];

/** Rounds and looks at the gateway until nothing is open any more. */
async function comeToRest(): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) {
    await round();
    const open = await rows('select 1 from attempt where is_open');
    if (open.length === 0) return;
    await sandbox.advance(30_000);
    await reconcile(sandbox.fixture.engine);
  }
  throw new Error('an attempt stays open');
}

describe('a saved card', () => {
  it.each([
    ['that pays', '4242424242424242', { state: 'done', reason: null }],
    ['that is declined is tried again', '4000000000000341', { state: 'announced', reason: null }],
    [
      'whose bank wants its holder is not tried again',
      '4000002760003184',
      { state: 'stopped', reason: 'authenticate' },
    ],
  ])('%s', async (_name, number, plan) => {
    const me = await payer(number);
    const invoice = await me.bill(7_700n);
    await round();
    expect(await planOf(me.id)).toMatchObject({ state: 'announced', runs: 0 });
    await sandbox.advance(3 * DAY_MS);
    await comeToRest();
    expect(await planOf(me.id)).toEqual({ ...plan, runs: 1 });
    const [paid] = await rows<{ status: number }>('select status from invoice where id = $1', [invoice.id]);
    expect(paid?.status).toBe(plan.state === 'done' ? 11 : 10);
    const said = await rows<{ mail: string }>(
      "select payload -> 'news' ->> 'mail' as mail from outbox where customer_id = $1 and kind = 'autoPay' order by id",
      [me.id],
    );
    const after = { done: [], announced: ['autoPayDeclined'], stopped: ['autoPayConfirm'] }[plan.state] ?? [];
    expect(said.map(({ mail }) => mail)).toEqual(['autoPayAhead', ...after]);
    expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
  });
});

/** A round in a process of its own. @returns what it did, undefined when it was killed at the step */
function process(step: Step | ''): Promise<Done[] | undefined> {
  const { config } = sandbox.fixture.deps;
  const aheadMs = now() - Date.now();
  const args = [sandbox.fixture.database.url, config.secretKey ?? '', config.dataDir];
  const child = spawn(
    globalThis.process.execPath,
    [
      join(import.meta.dirname, '../processes/auto-pay-process.ts'),
      ...args,
      String(aheadMs),
      String(sandbox.customer.resellerId),
      step,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: Object.assign({ PATH: globalThis.process.env['PATH'] }, sandbox.addressEnv),
    },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(JSON.parse(out) as Done[]);
      else reject(new Error(`the process ended with ${code}`));
    });
  });
}

describe('a process that dies', () => {
  let minor = 31_000n;

  it.each(['announced', 'deciding', 'written', 'answered'] as const)(
    'at the step "%s", beside others that live, charges and announces once [decisions.6.constant.auto-pay-charge]',
    async (step) => {
      const me = await payer('4242424242424242');
      const invoices = await Promise.all(
        Array.from({ length: 4 }, () => {
          minor += 1n;
          return me.bill(minor);
        }),
      );
      if (step === 'announced') expect(await process(step)).toBeUndefined();
      await Promise.all([round(), process('')]);
      const announced = await rows(
        "select 1 from outbox where customer_id = $1 and kind = 'autoPay' and payload -> 'news' ->> 'mail' = 'autoPayAhead'",
        [me.id],
      );
      expect(announced).toHaveLength(invoices.length);
      await sandbox.advance(3 * DAY_MS);
      if (step !== 'announced') expect(await process(step)).toBeUndefined();
      await Promise.all([process(''), comeToRest()]);
      // A charge that never left was found absent, and is made on the next day.
      await sandbox.advance(DAY_MS);
      await comeToRest();
      const mine = new Set(invoices.map((invoice) => Number(invoice.subtotalMinor)));
      const charged = (await sandbox.charges()).filter((charge) => mine.has(charge.minor));
      expect(charged.map((charge) => charge.minor).toSorted((a, b) => a - b)).toEqual([...mine]);
      expect(
        await rows('select 1 from invoice where customer_id = $1 and status = 11', [me.id]),
      ).toHaveLength(invoices.length);
      expect(await rows('select 1 from capture where customer_id = $1', [me.id])).toHaveLength(
        invoices.length,
      );
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
    },
  );
});
