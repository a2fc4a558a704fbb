import { sql } from '../../db/sql.ts';
import { leaseFrom } from '../payments/service.ts';
import { type MethodDeps, type MethodRow, methodColumns } from './method-row.ts';
import { removeAtGateway } from './remove.ts';
import { refreshMethod } from './setups/follow.ts';
import { lookUpSetup } from './setups/setup.ts';
import { type SetupRow, setupColumns } from './setups/setup-row.ts';

const AT_MOST = 100;

/**
 * Looks into every open setup and every method whose time has come. Several processes may run this at once: each takes
 * a row by moving its time on; one whose taker dies comes round again.
 * @returns how many rows were looked into
 */
export async function reconcileMethods(deps: MethodDeps): Promise<number> {
  const setups = await takeSetups(deps);
  const methods = await takeMethods(deps);
  const work = [
    ...setups.map((row) => ({ id: row.id, run: () => lookUpSetup(deps, row, 'reconciler') })),
    ...methods.map((row) => ({
      id: row.id,
      run: () => (row.state === 'leaving' ? removeAtGateway(deps, row) : refreshMethod(deps, row)),
    })),
  ];
  for (const { id, run } of work) {
    await run().catch((error: unknown) => {
      deps.log.error({ err: error, id }, 'a saved method could not be looked into; it comes round again');
    });
  }
  return work.length;
}

function takeSetups(deps: MethodDeps): Promise<SetupRow[]> {
  const now = deps.clock.now();
  const until = leaseFrom(now);
  return deps.db.transaction((tx) =>
    tx.many<SetupRow>(sql`
      update method_setup s set next_lookup_at = ${until}, lookups = s.lookups + 1
       where (s.customer_id, s.id) in (
         select customer_id, id from method_setup where next_lookup_at <= ${now}
          order by next_lookup_at limit ${AT_MOST} for update skip locked)
      returning ${setupColumns}`),
  );
}

function takeMethods(deps: MethodDeps): Promise<MethodRow[]> {
  const now = deps.clock.now();
  const until = leaseFrom(now);
  return deps.db.transaction((tx) =>
    tx.many<MethodRow>(sql`
      update payment_method m set check_at = ${until}
       where (m.customer_id, m.id) in (
         select customer_id, id from payment_method where check_at <= ${now}
          order by check_at limit ${AT_MOST} for update skip locked)
      returning ${methodColumns}`),
  );
}
