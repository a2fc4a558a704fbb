import type { Db } from '../../db/database.ts';
import { sqlOnce } from '../../db/sql.ts';
import { neighbourhoodOf } from '../../http/requests/address.ts';
import { deviceOf } from '../sessions/service.ts';
import type { NewSignInMailJob } from './mail-queue.ts';

// So many sign-ins back; who has more has been seen from everywhere they go.
const REMEMBERED = 500;

/** Where the user's own earlier sign-ins came from; those of support are not theirs. */
const earlierSignIns = (db: Db, userId: string) =>
  db.many<{ address: string | null; agent: string | null }>(sqlOnce`
    select distinct s.address, s.agent
      from (select session_id from audit_event
             where user_id = ${userId} and action = 'signIn.succeeded' and actor is null
             order by at desc limit ${REMEMBERED}) e
      join user_session s on s.id = e.session_id`);

/**
 * Whether a sign-in by the user comes from a browser and network not seen together before; the first one ever is
 * not new. To be asked before the sign-in is recorded.
 */
export async function isNewSignIn(db: Db, signIn: NewSignInMailJob): Promise<boolean> {
  const earlier = await earlierSignIns(db, signIn.userId);
  const here = placeOf(signIn);
  return earlier.length > 0 && !earlier.some((one) => placeOf(one) === here);
}

/** What does not change from one day to the next: versions do, and the last part of an address. */
function placeOf({ address, agent }: { readonly address: string | null; readonly agent: string | null }) {
  const { browser, system } = deviceOf(agent);
  return `${browser}|${system}|${neighbourhoodOf(address ?? '')}`;
}
