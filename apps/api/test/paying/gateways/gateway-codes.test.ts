import { randomUUID } from 'node:crypto';
import { debitSchemes } from '@counterfoil/gateways/port/saved-manifest.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { describe, expect, it } from 'vitest';
import { useFixture } from '../../fixtures/test-fixture.ts';

const fixture = useFixture({ modules: gatewayModules });
/** Codes by gateway (decisions §1). */
const codes: Readonly<Record<string, number>> = {
  stripe: 1,
  'authorize-net': 2,
  ippay: 4,
  moneris: 5,
  pinch: 6,
  nexio: 8,
  bpoint: 10,
  gocardless: 12,
};
const manifests = gatewayModules.map(({ manifest }) => manifest);

it.each(Object.entries(codes))(
  'the payment type is 0 without a gateway, and with %s %i [payments.gateway.constant.code.*, payments.gateway.adapts]',
  async (gateway, code) => {
    const { id } = await fixture.make.reseller();
    const type = () => fixture.engine.accounts.paymentTypeOf(id);
    expect(await type()).toBe(0);
    const pool = fixture.database.pool();
    await pool.query('insert into gateway_account (id, reseller_id, gateway) values ($1, $2, $3)', [
      randomUUID(),
      id,
      gateway,
    ]);
    expect(await type()).toBe(code);
    await pool.query('update gateway_account set is_active = false where reseller_id = $1', [id]);
    expect(await type()).toBe(0);
  },
);

describe('the gateways', () => {
  it('are those of the specification and no others [decisions.0.whole-gateways]', () => {
    expect(new Set(manifests.map(({ id }) => id))).toEqual(new Set(Object.keys(codes)));
  });

  it('have bank debits under one id unless Stripe’s; with Authorize.Net and Nexio it is ACH [payments.settings.constant.{direct-debit-other,direct-debit-ach}]', () => {
    for (const { code, saved } of manifests.filter((one) => debitSchemes(one.saved).length > 0)) {
      expect(Object.keys(saved?.debits ?? {}), `${code}`).toEqual(code === 1 ? ['1', '2', '3', '4'] : ['1']);
      if (code === 2 || code === 8) expect(debitSchemes(saved)).toMatchObject([{ title: 'ACH' }]);
    }
  });

  it('take numbers through this server only where an account chooses it [decisions.9.tokenisation-default]', () => {
    for (const { id, capabilities } of manifests) {
      const ways = Object.values(capabilities.entry);
      expect(ways.length, id).toBeGreaterThan(0);
      for (const [first] of ways) expect(first?.how, id).not.toMatch(/ToUs$|Encrypted$/);
    }
  });
});
