import { describe, expect, it } from 'vitest';
import { errorOf, payment, returnUrl, useSandbox } from './test-support.ts';

const harness = useSandbox();

describe('refunds and voids', () => {
  it('29: full', async () => {
    const stripe = harness.client();
    const paid = await stripe.paymentIntents.create(payment('pm_card_visa', { metadata: { ref: 'R29' } }));
    const refund = await stripe.refunds.create(
      { payment_intent: paid.id, metadata: { ref: 'G29' } },
      { idempotencyKey: 'g' },
    );
    expect(refund).toMatchObject({ status: 'succeeded', amount: 12_550, charge: paid.latest_charge });
    expect(
      (
        await stripe.refunds.create(
          { payment_intent: paid.id, metadata: { ref: 'G29' } },
          { idempotencyKey: 'g' },
        )
      ).id,
    ).toBe(refund.id);
    expect(await stripe.charges.retrieve(String(paid.latest_charge))).toMatchObject({
      refunded: true,
      amount_refunded: 12_550,
    });
    const again = await errorOf(stripe.refunds.create({ payment_intent: paid.id }));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    expect(await harness.captures('R29')).toMatchObject([{ state: 'refunded', refundedMinor: 12_550 }]);
    expect((await stripe.refunds.list({ payment_intent: paid.id })).data).toMatchObject([
      { metadata: { ref: 'G29' } },
    ]);
  });

  it('29: partial and partial, then too much', async () => {
    const stripe = harness.client();
    const { id } = await stripe.paymentIntents.create(payment('pm_card_visa'));
    await stripe.refunds.create({ payment_intent: id, amount: 5000 });
    const tooMuch = await errorOf(stripe.refunds.create({ payment_intent: id, amount: 8000 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
    expect(tooMuch.code).toBeUndefined();
    await stripe.refunds.create({ payment_intent: id, amount: 7550 });
    expect((await stripe.refunds.list({ payment_intent: id })).data.map((refund) => refund.amount)).toEqual([
      7550, 5000,
    ]);
  });

  it('29: no finer than the currency is charged', async () => {
    const stripe = harness.client();
    const { id } = await stripe.paymentIntents.create(
      payment('pm_card_visa', { amount: 12_340, currency: 'kwd' }),
    );
    const fine = await errorOf(stripe.refunds.create({ payment_intent: id, amount: 1_005 }));
    expect(fine).toMatchObject({ statusCode: 400, param: 'amount' });
    expect((await stripe.refunds.create({ payment_intent: id, amount: 1_000 })).status).toBe('succeeded');
  });

  it('29: what was not captured cannot be refunded; 30: it can be canceled with a reason', async () => {
    const stripe = harness.client();
    const held = await stripe.paymentIntents.create(
      payment('pm_card_visa', { capture_method: 'manual', metadata: { ref: 'R30' } }),
    );
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 12_550 });
    expect((await errorOf(stripe.refunds.create({ payment_intent: held.id }))).statusCode).toBe(400);
    const canceled = await stripe.paymentIntents.cancel(held.id, {
      cancellation_reason: 'requested_by_customer',
    });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'requested_by_customer' });
    expect(await harness.captures('R30')).toEqual([]);
  });

  it('30: a succeeded intent cannot be canceled, nor confirmed again', async () => {
    const stripe = harness.client();
    const { id } = await stripe.paymentIntents.create(payment('pm_card_visa'));
    for (const call of [
      stripe.paymentIntents.cancel(id),
      stripe.paymentIntents.confirm(id, { return_url: returnUrl }),
    ]) {
      expect(await errorOf(call)).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    }
  });

  it('29: refunds that are under way, or come back', async () => {
    const stripe = harness.client();
    const slow = await stripe.paymentIntents.create(payment('pm_card_pendingRefund'));
    const failing = await stripe.paymentIntents.create(payment('pm_card_refundFail'));
    const pending = await stripe.refunds.create({ payment_intent: slow.id });
    const returned = await stripe.refunds.create({ payment_intent: failing.id });
    expect([pending.status, returned.status]).toEqual(['pending', 'succeeded']);
    await harness.advance(5000);
    expect((await stripe.refunds.retrieve(pending.id)).status).toBe('succeeded');
    expect(await stripe.refunds.retrieve(returned.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    });
    expect(await stripe.charges.retrieve(returned.charge as string)).toMatchObject({
      refunded: false,
      amount_refunded: 0,
    });
  });

  it('a disputed card is charged back', async () => {
    const stripe = harness.client();
    await stripe.paymentIntents.create(payment('pm_card_createDispute', { metadata: { ref: 'RD' } }));
    await harness.advance(2000);
    expect((await stripe.disputes.list()).data).toMatchObject([
      { reason: 'fraudulent', status: 'needs_response' },
    ]);
    expect(await harness.captures('RD')).toMatchObject([{ state: 'charged-back' }]);
  });
});
