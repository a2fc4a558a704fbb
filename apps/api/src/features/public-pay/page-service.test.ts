import { describe, expect, it, vi } from 'vitest';
import { fixture, post, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';
import { infoAnswer } from './details.ts';
import type { PublicPayDeps } from './link.ts';
import { payPageOf } from './page-service.ts';

const depsOf = (): PublicPayDeps => ({ ...fixture.engine, publicUrl: new URL('http://localhost') });

describe('what a pay page is served with', () => {
  it('is what the browser would be told', async () => {
    const { body } = await setUp({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
    const told = await fixture.app.inject(`/v1/ec/payment/details/${body.uid}`);
    const page = await payPageOf(depsOf(), body.uid, false);
    expect(page?.payment && infoAnswer(page.payment)).toEqual(told.json().data);
    expect(page?.account?.csp).toBeDefined();
  });

  it('has a paid invoice as paid', async () => {
    const { body } = await setUp();
    await post('/v1/ec/pay', body);
    const page = await payPageOf(depsOf(), body.uid, false);
    expect(page?.payment).toMatchObject({ invoiceStatus: 11, attempt: { status: 'succeeded' } });
  });

  it('leaves an open attempt to the browser, and asks no gateway about it', async () => {
    const { body } = await setUp();
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'lost' });
    await post('/v1/ec/pay', body);
    const asked = vi.fn<typeof fixture.gateway.onLookup>(
      async () => ({ is: 'inconclusive', why: 'lost' }) as const,
    );
    fixture.gateway.onLookup = asked;
    const page = await payPageOf(depsOf(), body.uid, false);
    expect(page?.brand.name).toBeDefined();
    expect(page?.payment).toBeUndefined();
    expect(asked).not.toHaveBeenCalled();
  });

  it('leaves the way back from the bank to the browser', async () => {
    const { body } = await setUp();
    expect((await payPageOf(depsOf(), body.uid, true))?.payment).toBeUndefined();
  });

  it('comes without it from a gateway that does not answer', async () => {
    const { body } = await setUp();
    fixture.gateway.onVerifyCredentials = () => new Promise(() => undefined) as never;
    const page = await payPageOf(depsOf(), body.uid, false);
    expect([page?.payment, page?.account === undefined]).toEqual([undefined, false]);
  });

  it('is nothing for an unknown or an expired link', async () => {
    expect(await payPageOf(depsOf(), 'AAAAAAAAAAAAAAAAAAAAAA', false)).toBeUndefined();
    const { body } = await setUp();
    await fixture.database.pool().query("update invoice_pay_link set expires_at = '2000-01-01'");
    expect(await payPageOf(depsOf(), body.uid, false)).toBeUndefined();
  });
});
