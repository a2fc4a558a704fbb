import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type RowKey, takeDue } from '../../db/take-due.ts';
import { CallSlots } from '../../limits/call-slots.ts';
import { leaseFrom } from '../payments/service.ts';
import { type MethodDeps, type MethodRow, methodColumns } from './method-row.ts';
import { removeAtGateway } from './remove.ts';
import { refreshMethod } from './setups/follow.ts';
import { lookUpSetup } from './setups/setup.ts';
import { type SetupRow, setupColumns } from './setups/setup-row.ts';

/** Workers of one gateway account. */
const AT_ONCE = 4;
/** Calls that a process holds for saved methods, beside those for payments: neither starves the other. */
const SLOTS = { all: 32, slow: 16, each: AT_ONCE };
/** Of one account in one round; what has become due meanwhile comes before the rest. */
const AT_MOST = 100;

/** What a process does about open setups and methods that are to be read, for as long as it lives. */
export interface MethodRounds {
  /** Starts with every account that has something due and is not still at it. Waits for none of them. */
  round(): Promise<void>;
  /** Resolves when nothing that was started is under way. @returns how many rows were looked into so far */
  idle(): Promise<number>;
  /** Starts nothing more; resolves when what was started has ended. */
  stop(): Promise<void>;
}

/**
 * Looks into every open setup and every method whose time has come, each gateway account for itself: one that hangs holds up no
 * other. Several processes may do so at once: each takes a row by moving its time on, when it begins with it; one whose taker
 * dies comes round again.
 */
export function methodRounds(deps: MethodDeps): MethodRounds {
  const lanes = new Map<string, Promise<unknown>>();
  const slots = new CallSlots(() => deps.clock.now().getTime(), SLOTS);
  let lookedInto = 0;
  let isStopping = false;

  async function lookThrough(accountId: string, begun: Date): Promise<void> {
    const account = await deps.accounts.byId(accountId);
    const answerWithinMs = account?.gateway.capabilities.answerWithinMs;
    let left = AT_MOST;
    const next = async (): Promise<boolean> => {
      if (left <= 0 || isStopping) return false;
      left -= 1;
      const of: Due = { accountId, begun, until: leaseFrom(deps.clock.now(), answerWithinMs) };
      const work = await take(deps, of);
      if (work === undefined) return false;
      lookedInto += 1;
      await work.run().catch((error: unknown) => {
        deps.log.error(
          { err: error, id: work.id },
          'a saved method could not be looked into; it comes round again',
        );
      });
      return true;
    };
    const worker = async () => {
      while (await slots.run(accountId, next));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  return {
    async round() {
      const begun = deps.clock.now();
      for (const { id } of await accountsWithDue(deps.db, begun)) {
        if (lanes.has(id) || isStopping) continue;
        const lane = lookThrough(id, begun)
          .catch((error: unknown) => {
            deps.log.error(
              { err: error, account: id },
              'looking into saved methods broke off; they come round again',
            );
          })
          .finally(() => lanes.delete(id));
        lanes.set(id, lane);
      }
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values());
      return lookedInto;
    },
    async stop() {
      isStopping = true;
      await Promise.all(lanes.values());
    },
  };
}

/** Looks into what is due now, once. @returns how many rows were looked into */
export async function reconcileMethods(deps: MethodDeps): Promise<number> {
  const rounds = methodRounds(deps);
  await rounds.round();
  return rounds.idle();
}

/** What was due when a round began. */
interface Due {
  readonly accountId: string;
  readonly begun: Date;
  /** Whoever takes it has it until then. */
  readonly until: Date;
}

const accountsWithDue = (db: Db, begun: Date) =>
  db.many<{ id: string }>(sql`
    select gateway_account_id as id from method_setup where next_lookup_at <= ${begun}
    union select gateway_account_id from payment_method where check_at <= ${begun}`);

/** A setup before a method: somebody may wait for it. */
async function take(
  deps: MethodDeps,
  due: Due,
): Promise<{ readonly id: string; readonly run: () => Promise<unknown> } | undefined> {
  const setup = await takeSetup(deps, due);
  if (setup !== undefined) return { id: setup.id, run: () => lookUpSetup(deps, setup, 'reconciler') };
  const method = await takeMethod(deps, due);
  if (method === undefined) return undefined;
  const isLeaving = method.state === 'leaving';
  return {
    id: method.id,
    run: () => (isLeaving ? removeAtGateway(deps, method) : refreshMethod(deps, method)),
  };
}

const takeSetup = ({ db }: MethodDeps, { accountId, begun, until }: Due) => {
  const isDue = sql`gateway_account_id = ${accountId} and next_lookup_at <= ${begun}`;
  return takeDue<RowKey, SetupRow>(db, {
    due: sql`select customer_id, id from method_setup where ${isDue} order by next_lookup_at`,
    take: ({ customer_id: customerId, id }) => sql`
      with next as (
        select id from method_setup where customer_id = ${customerId} and id = ${id} and ${isDue} for update skip locked)
      update method_setup s set next_lookup_at = ${until}, lookups = s.lookups + 1
        from next where s.customer_id = ${customerId} and s.id = next.id
      returning ${setupColumns}`,
  });
};

const takeMethod = ({ db }: MethodDeps, { accountId, begun, until }: Due) => {
  const isDue = sql`gateway_account_id = ${accountId} and check_at <= ${begun}`;
  return takeDue<RowKey, MethodRow>(db, {
    due: sql`select customer_id, id from payment_method where ${isDue} order by check_at`,
    take: ({ customer_id: customerId, id }) => sql`
      with next as (
        select id from payment_method where customer_id = ${customerId} and id = ${id} and ${isDue} for update skip locked)
      update payment_method m set check_at = ${until} from next where m.customer_id = ${customerId} and m.id = next.id
      returning ${methodColumns}`,
  });
};
