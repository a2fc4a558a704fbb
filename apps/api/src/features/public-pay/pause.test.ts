import { describe, expect, it } from 'vitest';
import { fixture, post, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';
import { DECLINES_AN_HOUR } from './pause.ts';

const MINUTE_MS = 60_000;
const detailsOf = async (uid: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${uid}`)).json().data;

describe('a link through which cards are tried out', () => {
  it('takes no more for an hour, asks no gateway meanwhile, and says until when', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
    });
    const tryCard = (n: number) => post('/v1/ec/pay', { ...body, cardToken: `tok_stolen_${n}` });
    for (let n = 0; n < DECLINES_AN_HOUR; n += 1) {
      expect((await detailsOf(body.uid)).pausedUntil).toBeNull();
      expect((await tryCard(n)).json().data.status).toBe('failed');
      fixture.clock.advance(MINUTE_MS);
    }
    const asked = fixture.gateway.calls.charge;
    const until = new Date(fixture.clock.now().getTime() + (60 - DECLINES_AN_HOUR) * MINUTE_MS).toISOString();
    const refused = await tryCard(100);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'payment.paused']);
    expect(Number(refused.headers['retry-after'])).toBe((60 - DECLINES_AN_HOUR) * 60);
    expect((await detailsOf(body.uid)).pausedUntil).toBe(until);
    expect(fixture.gateway.calls.charge).toBe(asked);

    fixture.clock.advance((60 - DECLINES_AN_HOUR) * MINUTE_MS);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    expect((await tryCard(101)).json().data.status).toBe('succeeded');
  });

  it('answers who asks again for a payment that was made as before', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
    });
    const pay = (n: number) =>
      post(
        '/v1/ec/pay',
        { ...body, cardToken: `tok_${n}` },
        { 'idempotency-key': `a-press-of-the-payer-${n}` },
      );
    for (let n = 0; n < DECLINES_AN_HOUR; n += 1) await pay(n);
    expect((await pay(DECLINES_AN_HOUR)).statusCode).toBe(429);
    expect((await pay(0)).json().data).toMatchObject({ status: 'failed', message: 'Your card was declined' });
  });
});
