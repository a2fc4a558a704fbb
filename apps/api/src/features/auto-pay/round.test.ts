import type { Decline } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it } from 'vitest';
import {
  EMAIL,
  fixture,
  invoiceOf,
  mailsOf,
  payer,
  planOf,
  roundAt,
  rows,
  runsOf,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';
import { paths } from '../../../test/fixtures/paying/methods-fixture.ts';
import { setCustomerActive } from '../customers/service.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';

const declineWith = (over: Partial<Decline>) => {
  fixture.gateway.onCharge = async () => ({
    is: 'declined',
    why: { class: 'retryLater', code: 'insufficient_funds', text: 'Not enough funds on this card', ...over },
  });
};

describe('an invoice of a customer who agreed', () => {
  it('is announced three days before and charged at six on its due date, once, with the fee [decisions.6.{auto-pay-consent,constant.auto-pay-mail,constant.auto-pay-charge}]', async () => {
    const me = await payer({
      brand: { cardFee: { basisPoints: 200, fixedMinor: 0, capMinor: null } },
      timeZone: 'America/New_York',
    });
    const invoice = await me.bill();
    expect(await roundAt('2026-03-12T09:59:59Z', me.resellerId)).toEqual([]);
    expect(await roundAt('2026-03-12T10:00:00Z', me.resellerId)).toMatchObject([{ did: 'announce' }]);
    const [mail, ...others] = await mailsOf(me.customerId);
    expect(others).toEqual([]);
    expect(mail?.to).toBe(EMAIL);
    expect(mail?.subject).toContain('will charge $112.20 on 03.15.2026');
    expect(mail?.text).toContain(`Invoice ${invoice.number}:`);
    expect(mail?.text).toMatch(/Fee: +\$2\.20/);
    expect(mail?.text).toContain('Visa ending 4242');
    expect(mail?.text).toContain('switch Auto-Pay off under Settings → Payment Methods');
    expect(mail?.text).toContain('/payment-types');
    expect(mail?.from.name).toBe(`Reseller ${me.resellerId}`);
    expect(await roundAt('2026-03-15T09:59:00Z', me.resellerId)).toEqual([]);
    expect(fixture.gateway.taken.size).toBe(0);
    expect(await roundAt('2026-03-15T10:00:00Z', me.resellerId)).toMatchObject([
      { did: 'charge', state: 'succeeded' },
    ]);
    expect([...fixture.gateway.taken.values()]).toEqual([[11_220n]]);
    expect(await invoiceOf(invoice.id)).toEqual({ status: 11, paid: '11000', held: '0' });
    expect(await planOf(me.customerId)).toMatchObject({ state: 'done', runs: 1 });
    const [attempt] = await rows('select initiator, receipt_email from attempt where customer_id = $1', [
      me.customerId,
    ]);
    expect(attempt).toEqual({ initiator: 'merchant', receipt_email: EMAIL });
    expect(await roundAt('2026-03-20T10:00:00Z', me.resellerId)).toEqual([]);
    expect(await mailsOf(me.customerId)).toEqual([]);
  });

  it('is neither announced nor charged while the customer is disabled, and announced again afterwards', async () => {
    const me = await payer();
    const set = (isActive: boolean) =>
      fixture.deps.databases.web.transaction((tx) =>
        setCustomerActive(
          tx,
          { ...me, resellerId: undefined },
          isActive,
          { actor: 'test' },
          fixture.clock.now(),
        ),
      );
    await me.bill();
    await set(false);
    expect(await roundAt(ahead, me.resellerId)).toEqual([]);
    await set(true);
    expect(await roundAt(ahead, me.resellerId)).toMatchObject([{ did: 'announce' }]);
    await set(false);
    await roundAt(due, me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'skipped', reason: 'disabled' });
    await set(true);
    await roundAt('2026-03-16T06:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'announced', charge_on: '2026-03-19' });
    expect(fixture.gateway.taken.size).toBe(0);
  });

  it('that comes after its due date is announced at once and charged three days later', async () => {
    const me = await payer();
    await me.bill({ dueOn: '2026-02-20' });
    await roundAt('2026-03-03T08:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'announced', charge_on: '2026-03-06' });
    await roundAt('2026-03-05T23:00:00Z', me.resellerId);
    expect(fixture.gateway.taken.size).toBe(0);
    await roundAt('2026-03-06T06:00:00Z', me.resellerId);
    expect(fixture.gateway.taken.size).toBe(1);
  });

  it('is tried again 3, 5 and 7 days after the first decline, and then no more [decisions.6.constant.auto-pay-retries]', async () => {
    const me = await payer();
    await me.bill();
    declineWith({});
    await roundAt(ahead, me.resellerId);
    await mailsOf(me.customerId);
    const tried: string[] = [];
    const said: string[] = [];
    for (let day = 15; day <= 31; day += 1) {
      const done = await roundAt(`2026-03-${day}T06:00:30Z`, me.resellerId);
      if (done.length > 0) tried.push(`${day} ${done[0]?.state}`);
      for (const mail of await mailsOf(me.customerId))
        said.push(/again on [\d.]+\d|not try it again/.exec(mail.text)?.[0] ?? mail.subject);
    }
    expect(tried).toEqual(['15 declined', '18 declined', '20 declined', '22 declined']);
    expect(said).toEqual([
      'again on 03.18.2026',
      'again on 03.20.2026',
      'again on 03.22.2026',
      'not try it again',
    ]);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'stopped', reason: 'exhausted', runs: 4 });
  });

  it.each([
    [
      'is never charged again after a code that forbids it',
      { class: 'otherMethod', code: 'stolen_card', text: 'Your card was declined', final: true },
      'forbidden',
      'choose another one',
    ],
    [
      'is not charged blindly again where the bank wants its customer',
      { class: 'authenticate', code: 'authentication_required' },
      'authenticate',
      'your bank will ask you there',
    ],
  ] as const)('%s', async (_name, over, reason, words) => {
    const me = await payer();
    const invoice = await me.bill();
    declineWith(over);
    await roundAt(ahead, me.resellerId);
    await mailsOf(me.customerId);
    await roundAt(due, me.resellerId);
    const [mail] = await mailsOf(me.customerId);
    expect(mail?.text).toContain(words);
    expect(mail?.text).toContain(`/pay/${invoice.token}`);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    for (const day of [16, 18, 20, 22, 29]) await roundAt(`2026-03-${day}T12:00:00Z`, me.resellerId);
    await me.add('tok_other');
    await roundAt('2026-04-10T12:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'stopped', reason, runs: 1 });
    expect(await mailsOf(me.customerId)).toEqual([]);
    expect(fixture.gateway.taken.size).toBe(0);
  });

  it('whose card has wrong data waits for another one', async () => {
    const me = await payer();
    await me.bill();
    declineWith({ class: 'fixInput', code: 'expired_card', text: 'Your credit card has expired' });
    await roundAt(ahead, me.resellerId);
    await roundAt(due, me.resellerId);
    await roundAt('2026-03-25T06:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'skipped', reason: 'sameMethod', runs: 1 });
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    const other = await me.add('tok_new');
    await me.call('PUT', paths.defaultSource, { id: other });
    await roundAt('2026-03-25T07:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'announced', charge_on: '2026-03-28' });
    await roundAt('2026-03-28T07:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'done', runs: 2 });
  });

  it('with an unknown outcome has no other run until it is known', async () => {
    const me = await payer();
    const invoice = await me.bill();
    let isKnown = false;
    fixture.gateway.onCharge = async (charge) => {
      fixture.gateway.take(charge);
      return { is: 'unknown', evidence: 'cut' };
    };
    fixture.gateway.onLookup = async (charge) =>
      isKnown ? fixture.gateway.take(charge) : { is: 'inconclusive', why: 'away' };
    await roundAt(ahead, me.resellerId);
    await mailsOf(me.customerId);
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'charge', state: 'unknown' }]);
    for (const day of [16, 18, 20, 25]) {
      expect(await roundAt(`2026-03-${day}T06:00:00Z`, me.resellerId)).toEqual([]);
      await reconcile(fixture.engine);
    }
    expect(await runsOf(me.customerId)).toMatchObject([{ run_no: 1 }]);
    isKnown = true;
    fixture.clock.advance(3_600_000);
    await reconcile(fixture.engine);
    await roundAt('2026-03-26T06:00:00Z', me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'done', runs: 1 });
    expect(await invoiceOf(invoice.id)).toMatchObject({ status: 11, paid: '11000' });
    expect([...fixture.gateway.taken.values()]).toEqual([[11_000n]]);
    expect(await mailsOf(me.customerId)).toEqual([]);
  });

  it('is not charged when it was paid, or the consent taken back, in between; the reason stands [decisions.6.auto-pay-consent]', async () => {
    const callsBefore = fixture.gateway.calls.charge;
    const [paid, revoked] = [await payer(), await payer()];
    for (const me of [paid, revoked]) {
      await me.bill();
      await roundAt(ahead, me.resellerId);
    }
    await rows('update invoice set paid_minor = payable_minor, status = 11 where customer_id = $1', [
      paid.customerId,
    ]);
    await revoked.call('PUT', paths.charge, { allowResellerCharge: false });
    expect(await roundAt(due, paid.resellerId)).toMatchObject([{ did: 'skip', reason: 'paid' }]);
    expect(await roundAt(due, revoked.resellerId)).toMatchObject([{ did: 'skip', reason: 'noConsent' }]);
    expect(await runsOf(paid.customerId)).toMatchObject([{ run_no: 1, reason: 'paid', state: null }]);
    expect(fixture.gateway.calls.charge).toBe(callsBefore);
    expect(await roundAt('2026-03-18T06:00:00Z', revoked.resellerId)).toEqual([]);
    await revoked.call('PUT', paths.charge, { allowResellerCharge: true });
    await roundAt('2026-03-19T06:00:00Z', revoked.resellerId);
    expect(await planOf(revoked.customerId)).toMatchObject({ state: 'announced', charge_on: '2026-03-22' });
    await rows('update invoice set paid_minor = 0, status = 10 where customer_id = $1', [paid.customerId]);
  });

  it('without a method that can be charged brings one mail that says so', async () => {
    const me = await payer({ card: null });
    await me.bill();
    for (const day of [12, 13, 15, 18]) await roundAt(`2026-03-${day}T06:00:00Z`, me.resellerId);
    const mails = await mailsOf(me.customerId);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toContain('cannot be charged');
    expect(mails[0]?.text).toContain('$110.00 is due on 03.15.2026');
    expect(fixture.gateway.taken.size).toBe(0);
  });
});
