import type pg from 'pg';
import { whyUnavailable } from '../db/database.ts';

/** On an error of this code the queue tries its statement again, with pauses from 3 s to 2 min, for some hours. */
const TRY_AGAIN = '57P03';

/**
 * The pool as the queue sees it. The queue writes down the end of a job with nobody waiting for that, and tries again on
 * a few codes only: any other fault of the database at that moment would end the process, and the job would be done
 * twice. So whatever passes reads as one of those codes.
 */
export function patientPool(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect().catch(passing);
    let isBroken = false;
    const query = (...args: Parameters<typeof client.query>) =>
      (client.query(...args) as unknown as Promise<unknown>).catch((error: unknown) => {
        isBroken = whyUnavailable(error) !== undefined;
        return passing(error);
      });
    return over(client, { query, release: () => client.release(isBroken) });
  };
  // With a callback it is asked for one that listens; that the queue looks after itself.
  const given = (listen?: Parameters<typeof pool.connect>[0]) =>
    listen === undefined ? connect() : pool.connect(listen);
  return over(pool, { connect: given });
}

/** @throws what was thrown, or the same as an error that passes */
function passing(error: unknown): never {
  const why = whyUnavailable(error);
  throw why === undefined ? error : Object.assign(new Error(why, { cause: error }), { code: TRY_AGAIN });
}

/** The same object but for some of its members. */
const over = <T extends object>(of: T, members: Readonly<Record<string, unknown>>): T =>
  new Proxy(of, {
    get(target, key) {
      if (typeof key === 'string' && key in members) return members[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
