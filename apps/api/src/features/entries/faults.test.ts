import type { BillingOwner, EntryCallback } from '@counterfoil/gateways/port/gateway.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixture, paths, person, rows } from '../../../test/fixtures/paying/methods-fixture.ts';

/** What may go wrong around an entry, and what is told of it. */
const owner: BillingOwner = {
  firstName: 'Ana',
  lastName: 'Poe',
  company: 'Poe Ltd',
  shipping: { line1: '1 High St', country: 'US' },
};
const entered: EntryCallback = { is: 'entered', input: { token: 'tok_framed' }, owner };

beforeEach(() => {
  fixture.gateway.onPrepareEntry = async ({ ref }) => ({
    is: 'ready',
    action: { do: 'browser', config: {} },
    state: { key: ref },
    until: new Date(fixture.clock.now().getTime() + 60_000),
  });
  fixture.gateway.onReadCallback = () => entered;
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
});

const post = (url: string, payload: object, accept = '*/*') =>
  fixture.app.inject({ method: 'POST', url, payload, headers: { accept } });

async function linked() {
  const { customer } = await fixture.seedPayer();
  const invoice = await fixture.seedPayable(customer);
  const prepare = () => post(`/v1/ec/pay/${invoice.token}/entries`, { kind: 'card' });
  const entryId = async (): Promise<string> => (await prepare()).json().data.entryId;
  const pay = async (id: string) =>
    post('/v1/ec/pay', {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      entryId: id,
    });
  return { invoice, prepare, entryId, pay };
}
const callback = (id: string, accept?: string) => post(`/v1/entries/${id}/callback`, { any: 'x' }, accept);
const kept = (id: string) =>
  rows('select 1 from payment_entry where id = $1 and input_sealed is not null', [id]);

describe('what a gateway’s page has posted', () => {
  it('is charged with all that it says of its owner, also when the charge is built again; and is gone then', async () => {
    const { entryId, pay, invoice } = await linked();
    const id = await entryId();
    await callback(id);
    expect(await kept(id)).toHaveLength(1);
    const owners: unknown[] = [];
    fixture.gateway.onCharge = async (charge) => {
      owners.push(charge.owner);
      return { is: 'unknown', evidence: 'cut' };
    };
    fixture.gateway.onLookup = async (charge) => {
      owners.push(charge.owner);
      return fixture.gateway.take(charge);
    };
    const { attemptId: reqUid } = (await pay(id)).json().data;
    fixture.clock.advance(30_000);
    await post('/v1/ec/payments/confirmation/result', { uid: invoice.token, reqUid });
    expect(owners).toEqual([owner, owner]);
    expect(await kept(id)).toEqual([]);
  });

  it('is refused where it is no token of the provider', async () => {
    const { entryId } = await linked();
    const id = await entryId();
    fixture.gateway.onReadCallback = () => ({ is: 'entered', input: { token: '<script>' } });
    expect((await callback(id)).statusCode).toBe(400);
    expect(await kept(id)).toEqual([]);
  });

  it('may name a transaction by digits like a card’s; what would be kept of it may not', async () => {
    const { entryId } = await linked();
    const [id, other] = [await entryId(), await entryId()];
    const digits = ['4242', '4242', '4242', '4242'].join('');
    fixture.gateway.onReadCallback = () => ({ ...entered, owner: { name: `Ana ${digits}` } });
    expect((await callback(other)).statusCode).toBe(400);
    expect(await kept(other)).toEqual([]);
    fixture.gateway.onReadCallback = () => entered;
    const answer = await post(`/v1/entries/${id}/callback`, { TransactionID: `A${digits}` });
    expect(answer.statusCode).toBe(204);
  });

  it('is answered in its frame by a page that tells ours it is done, or why not', async () => {
    const { entryId } = await linked();
    const id = await entryId();
    const page = await callback(id, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('parent.postMessage("000", location.origin)');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'self'");
    const [, nonce] = /'nonce-([\w-]+)'/.exec(policy) ?? [];
    expect(page.body).toContain(`<script nonce="${nonce}">`);
    const again = await callback(id, 'text/html');
    expect([again.statusCode, again.body.includes('"000"')]).toEqual([409, false]);
    expect(again.body).toContain('parent.postMessage("This form was used already');
  });
});

describe('an adapter that throws', () => {
  it('neither breaks a callback nor keeps it', async () => {
    const { entryId } = await linked();
    const id = await entryId();
    fixture.gateway.onReadCallback = () => {
      throw new Error('broken');
    };
    expect((await callback(id)).statusCode).toBe(400);
    expect(await kept(id)).toEqual([]);
  });

  it('makes no entry, and the page may ask again', async () => {
    const { prepare } = await linked();
    fixture.gateway.onPrepareEntry = async () => {
      throw new Error('broken');
    };
    expect((await prepare()).json().code).toBe('server.unavailable');
  });
});

it.each([
  ['void', 13, 'payment.notPayable'],
  ['credited', 12, 'payment.credited'],
])('a link whose invoice is %s is prepared nothing', async (_what, status, code) => {
  const { invoice, prepare } = await linked();
  await rows('update invoice set status = $2 where id = $1', [invoice.id, status]);
  const answer = await prepare();
  expect([answer.statusCode >= 400, answer.json().code]).toEqual([true, code]);
});

it('a bank account is not saved by its token alone: its holder agrees to the debit', async () => {
  const me = await person({ brand: { directDebitPaymentMethodId: 1 } });
  const save = async (more: object) =>
    (await me.call('POST', paths.cards, { token: 'pm_1', paymentMethodType: 'own_debit', ...more })).json();
  expect((await save({})).code).toBe('paymentMethod.agreementNeeded');
  expect((await save({ mandateVersion: 'm-1' })).code).toBe('paymentMethod.agreementNeeded');
  expect((await save({ mandateAccepted: true, mandateVersion: 'm-1' })).data.status).toBe('succeeded');
});

it('a method whose form is sent twice at once is saved once, and both are told of it', async () => {
  const me = await person();
  const { entryId } = (
    await me.call('POST', '/v1/ec/payments/entries', { purpose: 'save', kind: 'card' })
  ).json().data;
  let completed = 0;
  fixture.gateway.onCompleteSetup = async () => {
    completed += 1;
    return { is: 'saved', method: fixture.gateway.card('tok_1') };
  };
  // Both have looked for the other's setup before either can take the entry.
  const holder = await fixture.database.pool().connect();
  await holder.query('begin');
  await holder.query('select 1 from payment_entry where id = $1 for update', [entryId]);
  const sent = [1, 2].map(() => me.call('POST', paths.cards, { entryId, token: 'tok_1', cardHolder: 'Jo' }));
  const waiting = async () =>
    (
      await rows<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%payment_entry%'`,
      )
    )[0]?.n;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
  await holder.query('rollback');
  holder.release();
  const told = await Promise.all(sent);
  expect(told.map((answer) => [answer.statusCode, answer.json().data?.reqUid])).toEqual(
    [0, 1].map(() => [200, told[0]?.json().data.reqUid]),
  );
  expect(completed).toBe(1);
});
