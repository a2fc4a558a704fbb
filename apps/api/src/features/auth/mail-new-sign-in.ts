import type { Db, Tx } from '../../db/database.ts';
import { sqlOnce } from '../../db/sql.ts';
import { deviceOf } from '../sessions/service.ts';
import { enqueueNewSignInMail, type NewSignInMailJob } from './mail-queue.ts';

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
 * Promises a mail about a sign-in by the user from a browser and network not seen together before. To be called
 * before the sign-in is recorded, in its transaction; the first one ever is no news.
 */
export async function noticeNewSignIn(tx: Tx, signIn: NewSignInMailJob): Promise<void> {
  const earlier = await earlierSignIns(tx, signIn.userId);
  if (earlier.length === 0) return;
  const here = placeOf(signIn);
  if (!earlier.some((one) => placeOf(one) === here)) await enqueueNewSignInMail(tx, signIn);
}

/** What does not change from one day to the next: versions do, and the last part of an address. */
function placeOf({ address, agent }: { readonly address: string | null; readonly agent: string | null }) {
  const { browser, system } = deviceOf(agent);
  return `${browser}|${system}|${networkOf(address ?? '')}`;
}

/** The first 24 bits of an IPv4 address, the first 48 of an IPv6 one: about what one household or office has. */
export function networkOf(address: string): string {
  const ipv4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [beforeZeros = ''] = address.split('::');
  const groups = beforeZeros.split(':');
  return [0, 1, 2].map((at) => Number.parseInt(groups[at] || '0', 16).toString(16)).join(':');
}
