import { type JobHelpers, Logger, runOnce } from 'graphile-worker';
import { afterAll, expect, it } from 'vitest';
import { post } from '../../../test/fixtures/account-mails.ts';
import { operatorCookie } from '../../../test/fixtures/operator.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import type { Database } from '../../db/database.ts';
import { queueDatabase, runOf } from '../../jobs/worker.ts';
import { type Mail, MailFailed } from '../../mail/mailer.ts';
import { promisedMailJob, promiseMail, queuePromises } from '../../mail/outbox.ts';
import { authMailJobs } from '../auth/mail-queue.ts';
import { passwordChangedMail } from '../auth/mails.ts';
import { findBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';

const fixture = useFixture();
const sent: Mail[] = [];
/** What the mail server says to the next mails. */
const answers: (MailFailed | 'refused')[] = [];
const REFUSED = new MailFailed('the mail server did not take it: 550 5.1.1 at RCPT TO', true);
const BUSY = new MailFailed('the mail server did not take it: 451 at DATA', false);
let queue: Database | undefined;
afterAll(() => queue?.end());

/** Sends what waits in the queue, once. */
async function deliver(): Promise<void> {
  const { databases, clock } = { ...fixture.deps, clock: fixture.clock };
  const deps = {
    db: databases.jobs,
    clock,
    isDemo: false,
    mailFrom: 'billing@portal.example',
    publicUrl: new URL('http://portal.example'),
    mailer: {
      async send(mail: Mail) {
        const answer = answers.shift();
        if (answer instanceof MailFailed) throw answer;
        if (answer === 'refused') return REFUSED;
        sent.push(mail);
        return undefined;
      },
    },
  };
  // What a receipt says has tests of its own.
  const receipt = promisedMailJob<{ to: string }>(deps, 'receipt', async ({ id, payload }) => {
    const row = await findBrand(databases.jobs, 0);
    if (row === undefined) throw new Error('there is no brand');
    const to = { brand: brandFromRow(row), email: payload.to };
    return passwordChangedMail(to, { url: 'http://portal.example/pay/secret-token?x=1', id }, clock.now());
  });
  await queuePromises(databases.jobs, clock);
  queue ??= queueDatabase(fixture.database.url);
  await queue.pool.query('update graphile_worker._private_jobs set run_at = now()');
  await runOnce({
    pgPool: queue.pool,
    taskList: Object.fromEntries(
      [...authMailJobs(deps), receipt].map((job) => [
        job.name,
        (payload: unknown, given: JobHelpers) => job.run(payload, runOf(given.job)),
      ]),
    ),
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
  });
  await expect
    .poll(
      async () =>
        (await queue?.pool.query('select from graphile_worker.jobs where locked_at is not null'))?.rowCount,
    )
    .toBe(0);
}

async function provider(name: string) {
  const { reseller, customer } = await fixture.seedPayer();
  const headers = { authorization: `Bearer ${await programKey(fixture, reseller.id, name)}` };
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/v1/admin/mails${path}`;
    const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  const promise = (to: string) =>
    fixture.engine.db.transaction((tx) =>
      promiseMail(
        tx,
        { kind: 'receipt', customerId: customer.id, cause: to, payload: { to } },
        fixture.clock.now(),
      ),
    );
  return { reseller, customer, call, promise };
}

it('shows what was mailed, without what its links open, by each filter, and nothing of others', async () => {
  const [one, other] = [await provider('one'), await provider('other')];
  const user = await fixture.make.user({
    resellerId: one.reseller.id,
    passwordHash: 'x',
    customerIds: [one.customer.id],
  });
  await post(fixture, '/v1/ec/password-reset-request', { email: user.email });
  await one.promise('Pays@harbour.example');
  await other.promise('else@where.example');
  await deliver();
  const { data } = await one.call('GET', '');
  expect(data.map(({ kind, state, tries }: never) => [kind, state, tries])).toEqual(
    expect.arrayContaining([['reset', 'sent', 1]]),
  );
  expect(data).toHaveLength(2);
  for (const [query, n] of [
    [`customer=${one.customer.id}`, 2],
    [`customer=${other.customer.id}`, 0],
    ['address=pays@HARBOUR.example', 1],
    ['kind=reset', 1],
    ['kind=receipt', 0],
    ['state=sent', 2],
    ['state=failing', 0],
    ['limit=1', 1],
  ] as const)
    expect([query, (await one.call('GET', `?${query}`)).data.length]).toEqual([query, n]);
  const first = await one.call('GET', '?limit=1');
  const second = await one.call('GET', `?limit=1&cursor=${first.nextCursor}`);
  expect([first.data[0].id, second.data[0].id]).toEqual(data.map(({ id }: never) => id));
  for (const { id } of data) {
    const whole = (await one.call('GET', `/${id}`)).data;
    const link = sent.find(({ to }) => to === whole.address)?.text.match(/http:\S+/)?.[0] ?? '';
    // The mail itself has the whole link; here its last part is left out.
    expect(link.length).toBeGreaterThan(30);
    expect(`${whole.text}${whole.html}`).not.toContain(link);
    expect(whole.text).toMatch(/http:\/\/\S+\/(pay|reset-password)\/••••••\n/);
    expect(whole.html).toContain('<!doctype html>');
    expect(JSON.stringify(whole)).not.toContain(link.split('/').at(-1));
    expect((await other.call('GET', `/${id}`)).status).toBe(404);
  }
});

it('tells why a mail does not go out, sends it again to where a person says, and lets go of what was seen to', async () => {
  const { call, promise } = await provider('desk');
  await promise('wrong@harbour.example');
  answers.push(BUSY, 'refused');
  await deliver().catch(() => undefined);
  const [{ id }] = (await call('GET', '?state=failing')).data;
  await deliver();
  expect((await call('GET', `/${id}`)).data).toMatchObject({
    state: 'refused',
    problem: REFUSED.message,
    tries: 2,
    addressIsFixed: false,
    story: [
      { outcome: 'failed', reason: BUSY.message },
      { outcome: 'refused', to: 'wrong@harbour.example' },
    ],
  });
  expect(await call('POST', `/${id}/resend`, { address: 'no address' })).toMatchObject({
    status: 400,
    code: 'mail.noAddress',
  });
  const before = sent.length;
  const ordered = await call('POST', `/${id}/resend`, { address: 'right@harbour.example' });
  expect([ordered.status, ordered.data.state, ordered.data.problem]).toEqual([202, 'waiting', null]);
  expect(await call('POST', `/${id}/resend`, {})).toMatchObject({ status: 409, code: 'mail.underWay' });
  await deliver();
  await deliver();
  expect(sent.slice(before).map(({ to }) => to)).toEqual(['right@harbour.example']);
  expect((await call('GET', `/${id}`)).data).toMatchObject({
    state: 'sent',
    address: 'right@harbour.example',
    problem: null,
  });
  expect(await call('POST', `/${id}/dismiss`, { note: 'x' })).toMatchObject({
    status: 409,
    code: 'mail.ended',
  });
  const again = sent.at(-1)?.messageId;
  await call('POST', `/${id}/resend`, {});
  await deliver();
  expect(sent.at(-1)?.messageId).not.toBe(again);

  await promise('gone@harbour.example');
  answers.push(BUSY);
  await deliver().catch(() => undefined);
  const [failing] = (await call('GET', '?state=failing')).data;
  expect((await call('POST', `/${failing.id}/dismiss`, { note: 'They have moved' })).data).toMatchObject({
    state: 'closed',
    problem: null,
    story: [{ outcome: 'failed' }, { outcome: 'dismissed', by: 'key:desk', note: 'They have moved' }],
  });
  const count = sent.length;
  await deliver();
  expect(sent).toHaveLength(count);
});

it('a mail that opens an account goes to the address of that account only, with a link that was never sent before', async () => {
  const { reseller, customer, call } = await provider('support');
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash: 'x',
    customerIds: [customer.id],
  });
  await post(fixture, '/v1/ec/password-reset-request', { email: user.email });
  await deliver();
  const [{ id }] = (await call('GET', '')).data;
  expect(await call('POST', `/${id}/resend`, { address: 'thief@elsewhere.example' })).toMatchObject({
    status: 409,
    code: 'mail.addressFixed',
  });
  fixture.clock.advance(3 * 86_400_000);
  expect((await call('POST', `/${id}/resend`, {})).status).toBe(202);
  await deliver();
  const links = sent.filter(({ to }) => to === user.email).map(({ text }) => text.match(/http:\S+/)?.[0]);
  expect(links).toHaveLength(2);
  expect(new Set(links).size).toBe(2);
});

it('is a page of its own for a frame in the console: for operators of its reseller, without scripts or ways out', async () => {
  const [one, other] = [await provider('framed'), await provider('not framed')];
  await one.promise('framed@harbour.example');
  await deliver();
  const [{ id }] = (await one.call('GET', '')).data;
  const page = (headers: { readonly cookie?: string }) =>
    fixture.app.inject({ url: `/v1/operator/mails/${id}/page`, headers });
  const cookieOf = async (...who: [number | null, 'readOnly'?]) => {
    const { cookie } = await operatorCookie(fixture, ...who);
    return { cookie };
  };
  const own = await page(await cookieOf(one.reseller.id, 'readOnly'));
  expect([own.statusCode, own.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(own.headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
  );
  expect(own.body).not.toContain('secret-token');
  expect((await page(await cookieOf(null))).statusCode).toBe(200);
  expect((await page(await cookieOf(other.reseller.id))).statusCode).toBe(404);
  expect((await page({})).statusCode).toBe(401);
});
