import { randomUUID } from 'node:crypto';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { expect, it } from 'vitest';
import { useFixture } from '../../fixtures/test-fixture.ts';

const fixture = useFixture({ modules: gatewayModules });

it('the payment type is 0 without a gateway and 1 for Stripe [payments.gateway.constant.code.0, payments.gateway.constant.code.1, payments.gateway.adapts]', async () => {
  const { id } = await fixture.make.reseller();
  const type = () => fixture.engine.accounts.paymentTypeOf(id);
  expect(await type()).toBe(0);
  const pool = fixture.database.pool();
  await pool.query("insert into gateway_account (id, reseller_id, gateway) values ($1, $2, 'stripe')", [
    randomUUID(),
    id,
  ]);
  expect(await type()).toBe(1);
  await pool.query('update gateway_account set is_active = false where reseller_id = $1', [id]);
  expect(await type()).toBe(0);
});
