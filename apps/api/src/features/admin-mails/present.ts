import type { SentMail, SentMailWhole } from '@counterfoil/contract/operator/running/mails.ts';
import { layOutMail } from '../../mail/compose.ts';
import { mailText } from '../../mail/text.ts';
import type { Brand } from '../brand/service.ts';
import type { MailRow, WholeMailRow } from './queries.ts';
import { isAddressFixed } from './service.ts';

const TRIED: ReadonlySet<string> = new Set(['sent', 'failed', 'refused']);

/** A mail in a list. */
export function presentMail(row: MailRow): SentMail {
  const isFailing = row.state === 'failing' || row.state === 'refused' || row.state === 'givenUp';
  return {
    id: row.id,
    kind: row.kind,
    address: row.address,
    subject: row.subject,
    state: row.state,
    customerId: row.customer_id,
    customer: row.customer,
    userId: row.user_id,
    problem: isFailing ? (row.tries.findLast(({ reason }) => reason !== undefined)?.reason ?? null) : null,
    tries: row.tries.filter(({ outcome }) => TRIED.has(outcome)).length,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A mail with what it says and what became of it. */
export const presentWholeMail = (row: WholeMailRow, brand: Brand): SentMailWhole => ({
  ...presentMail(row),
  text: mailText(row.content),
  html: layOutMail(row.content, brand),
  addressIsFixed: isAddressFixed(row),
  story: row.tries.map(({ at, outcome, to = null, reason = null, by = null, note = null }) => ({
    at,
    outcome,
    to,
    reason,
    by,
    note,
  })),
});
