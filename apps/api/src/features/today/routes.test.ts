import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { fixture, inconclusive, rows, setUp } from '../../../test/fixtures/paying/engine-fixture.ts';
import { paid } from '../../../test/fixtures/paying/refund-fixture.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';
import { receiveEvents } from '../payments/webhooks/inbox.ts';

async function caller(resellerId: number, over: Parameters<typeof programKey>[3] = {}, isWide = false) {
  const key = await programKey(fixture, isWide ? null : resellerId, newId(), over);
  const headers = { authorization: `Bearer ${key}`, 'x-reseller-id': String(resellerId) };
  return async (path: string) => {
    const answer = await fixture.app.inject({ url: `/v1/admin/${path}`, headers });
    return { status: answer.statusCode, ...answer.json() };
  };
}

/** An account that the reseller had before took as much again in euros by one payment, and was refused one; outside the books, so it is taken out again. */
async function payElsewhere({ reseller, customer }: Awaited<ReturnType<typeof paid>>) {
  const account = newId();
  await rows(
    "insert into gateway_account (id, reseller_id, gateway, is_active) values ($1, $2, 'elsewhere', false)",
    [account, reseller.id],
  );
  await rows(
    `with tried as (
       insert into attempt (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
                            request_digest, kind, initiator, currency, amount_minor, state, labels, return_to, sent_at,
                            last_sent_at, updated_at)
       select customer_id, t.id, session_id, reseller_id, $2, 'elsewhere', direction, 'E' || t.state, request_digest, kind,
              initiator, 'EUR', amount_minor, lower(t.state), labels, return_to, sent_at, last_sent_at, updated_at
         from attempt cross join (values ($3::uuid, 'SUCCEEDED'), ($4::uuid, 'DECLINED')) t(id, state)
        where customer_id = $1 and direction = 'charge' returning *)
     insert into capture (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor, to_invoices_minor,
                          to_fee_minor, to_credit_minor, at)
     select customer_id, id, id, gateway_account_id, ref, currency, amount_minor, amount_minor, 0, 0, sent_at
       from tried where state = 'succeeded'`,
    [customer.id, account, newId(fixture.clock.now().getTime()), newId(fixture.clock.now().getTime())],
  );
  return async () => {
    for (const table of ['capture', 'attempt'])
      await rows(`delete from ${table} where gateway_account_id = $1`, [account]);
  };
}

/** A reseller with a payment in review and one of each that needs a person beside it. */
async function busyReseller() {
  const one = await setUp();
  fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
  fixture.gateway.onLookup = async () => inconclusive;
  await one.pay();
  fixture.clock.advance(2 * 3_600_000);
  await reconcile(fixture.engine);
  const now = fixture.clock.now();
  const resellerId = one.reseller.id;
  const [account] = await rows<{ id: string }>('select id from gateway_account where reseller_id = $1', [
    resellerId,
  ]);
  const opened = await fixture.engine.accounts.byId(account?.id ?? '');
  if (opened === undefined) throw new Error('there is no account');
  await receiveEvents(fixture.engine, [
    { account: opened, trust: 'signed', events: [{ id: newId(), about: 'charge' }] },
  ]);
  await rows(
    `update inbox set next_try_at = null, handled_at = $2, outcome = 'person: it hangs' where gateway_account_id = $1`,
    [account?.id, now],
  );
  await rows(
    `insert into mail (id, reseller_id, brand_id, kind, address, subject, content, task, payload, job_id, state, tries,
                       created_at, updated_at)
     select gen_random_uuid(), $1, 0, 'receipt', 'a@b.example', 'S', '{}', 'receipt', '{}', gen_random_uuid(), 'refused',
            '[{"at": "2026-01-01T00:00:00Z", "outcome": "refused", "reason": "550 5.1.1"}]', $2, $2
       from generate_series(1, 3)`,
    [resellerId, now],
  );
  const file = newId();
  await rows(
    `insert into import_file (id, reseller_id, name, format, digest, state, started_at)
     select $1, $2, 'calls.csv', 'csv', '\\x00', 'done', $3`,
    [file, resellerId, now],
  );
  await rows(
    `insert into quarantine_entry (id, reseller_id, file_id, kind, identity, ordinal, cause, reason, missing, first_seen_at,
                                   next_try_at)
     select gen_random_uuid(), $1, $2, 'usage', gen_random_uuid(), n, 'owner', 'no such customer', '{}', $3, $3
       from generate_series(1, 2) as n`,
    [resellerId, file, now],
  );
  return { ...one, resellerId };
}

it('tells what needs a person in groups, with the money that waits, and nothing of others', async () => {
  const one = await busyReseller();
  const soon = new Date(fixture.clock.now().getTime() + 7 * 86_400_000);
  const ask = await caller(one.resellerId, { expiresAt: soon });
  const { status, data } = await ask('today');
  expect(status).toBe(200);
  expect([data.count, data.sums]).toEqual([5, [{ currency: 'USD', amount: '110.00' }]]);
  expect(
    data.groups.map(({ group, items }: { group: string; items: { kind: string; count: number }[] }) => [
      group,
      ...items.map(({ kind, count }) => `${count} ${kind}`),
    ]),
  ).toEqual([
    ['payments', '1 paymentInReview'],
    ['quarantine', '2 quarantinedRows'],
    ['mails', '3 mailsRefused'],
    ['webhooks', '1 eventsGivenUp'],
    ['keys', '1 keyExpires'],
  ]);
  const { id } = await one.attempt();
  expect(data.groups[0].items[0]).toMatchObject({
    id,
    title: one.customer.label,
    about: one.invoice.number,
    amount: '110.00',
    path: `/admin/payments/${id}`,
  });
  expect(data.groups[2].items[0]).toMatchObject({ reason: '550 5.1.1', path: '/admin/mails?state=refused' });

  // Who may not read payments is told of none, and other resellers' are nobody's business.
  const narrow = await caller(one.resellerId, { scopes: ['today:read', 'mails:read'] });
  expect((await narrow('today')).data.groups.map(({ group }: { group: string }) => group)).toEqual([
    'mails',
    'keys',
  ]);
  const { reseller } = await fixture.seedPayer();
  const other = await caller(reseller.id);
  expect((await other('today')).data).toMatchObject({ count: 0, sums: [], groups: [] });
});

it('leaves out what the caller has put off, until it says something else, the time is over or they ask for it again', async () => {
  const one = await busyReseller();
  const key = await programKey(fixture, one.resellerId, newId());
  const ask = await caller(one.resellerId);
  const send = (method: 'POST' | 'DELETE', payload?: object) =>
    fixture.app.inject({
      method,
      url: '/v1/admin/today/snoozes',
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    });
  const mine = async () => {
    const answer = await fixture.app.inject({
      url: '/v1/admin/today',
      headers: { authorization: `Bearer ${key}` },
    });
    const { count, sums, snoozed, groups } = answer.json().data;
    return {
      count,
      sums,
      snoozed,
      kinds: groups.flatMap(({ items }: never) => items).map(({ kind }: never) => kind),
    };
  };
  const all = (await ask('today')).data.groups.flatMap(({ items }: never) => items);
  const hour = (hours: number) => new Date(fixture.clock.now().getTime() + hours * 3_600_000).toISOString();
  for (const kind of ['paymentInReview', 'mailsRefused']) {
    const { id, state } = all.find((need: { kind: string }) => need.kind === kind);
    expect((await send('POST', { kind, id, state, until: hour(20) })).statusCode).toBe(204);
  }
  expect(await mine()).toEqual({
    count: 2,
    sums: [],
    snoozed: 2,
    kinds: ['quarantinedRows', 'eventsGivenUp'],
  });
  // Nobody else's list is shorter by it.
  expect((await ask('today')).data).toMatchObject({ count: 4, snoozed: 0 });
  await rows(
    "update mail set state = 'sent' where id = (select id from mail where reseller_id = $1 limit 1)",
    [one.resellerId],
  );
  expect(await mine()).toMatchObject({ count: 3, snoozed: 1 });
  fixture.clock.advance(21 * 3_600_000);
  expect(await mine()).toMatchObject({ count: 4, snoozed: 0, sums: [{ currency: 'USD', amount: '110.00' }] });

  const { kind, id, state } = all[0];
  expect((await send('POST', { kind, id, state, until: hour(24 * 32) })).json()).toMatchObject({
    status: 400,
    code: 'need.until',
  });
  await send('POST', { kind, id, state, until: hour(1) });
  expect(await mine()).toMatchObject({ snoozed: 1 });
  expect((await send('DELETE')).statusCode).toBe(204);
  expect(await mine()).toMatchObject({ count: 4, snoozed: 0 });
});

it('tells of a group that it cannot be read, and the others stand', async () => {
  const one = await busyReseller();
  const ask = await caller(one.resellerId);
  await rows('alter table mail rename to mail_away');
  try {
    const { data } = await ask('today');
    expect(data.groups.map(({ group, isKnown }: never) => [group, isKnown])).toEqual([
      ['payments', true],
      ['quarantine', true],
      ['mails', false],
      ['webhooks', true],
    ]);
  } finally {
    await rows('alter table mail_away rename to mail');
  }
});

it('adds up the money of a day by gateway, beside the same day of the month before', async () => {
  const one = await paid();
  await one.back(1_000n);
  const takeOut = await payElsewhere(one);
  const ask = await caller(one.reseller.id);
  const { data } = await ask('money');
  expect(data.gateways).toEqual([
    {
      gateway: 'elsewhere',
      currency: 'EUR',
      payments: 1,
      collected: '110.00',
      refunded: '0.00',
      takenBack: '0.00',
      net: '110.00',
      inReview: '0.00',
      declined: 1,
    },
    {
      gateway: 'scripted',
      currency: 'USD',
      payments: 1,
      collected: '110.00',
      refunded: '10.00',
      takenBack: '0.00',
      net: '100.00',
      inReview: '0.00',
      declined: 0,
    },
  ]);
  expect(data.before.collected).toEqual([]);
  // The day after, and the same day of the next month, to whose figures it is compared.
  expect((await ask('money?day=2020-01-01')).data.gateways).toEqual([]);
  const { day } = data;
  const next = new Date(`${day.slice(0, 7)}-15T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const later = await ask(`money?day=${next.toISOString().slice(0, 8)}${day.slice(8)}`);
  if (later.data.before.day === day)
    expect(later.data.before.collected).toEqual([
      { currency: 'EUR', amount: '110.00' },
      { currency: 'USD', amount: '110.00' },
    ]);
  await takeOut();
  for (const wrong of ['2026-02-31', '0001-01-01', 'today'])
    expect([wrong, (await ask(`money?day=${wrong}`)).status]).toEqual([wrong, 400]);
});
