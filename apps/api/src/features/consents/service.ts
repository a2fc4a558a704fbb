import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Origin } from '../../http/requests/origin.ts';
import type { CustomerScope, SessionScope } from '../../http/requests/scope.ts';
import { tellOfConsents } from '../../messages/people-messages.ts';

/** Who agrees, and from where. */
export interface Agreeing {
  readonly session: SessionScope;
  readonly scope: CustomerScope;
  readonly origin: Origin;
}

/** Who agrees through a pay link, without a sign-in: the holder is named as on the form. */
export interface AgreeingHolder {
  readonly holder: string;
  readonly scope: CustomerScope;
  readonly origin: Origin;
}

export interface Agreement {
  /** `debit`: one debit of an account that is not kept. */
  readonly purpose: 'autoPay' | 'mandate' | 'debit';
  readonly text: string;
  readonly version: string;
}

/** Keeps what somebody has agreed to, word for word. @returns its id */
export async function keepConsent(
  tx: Tx,
  who: Agreeing | AgreeingHolder,
  agreement: Agreement,
  now: Date,
): Promise<string> {
  const id = newId(now.getTime());
  const { scope, origin } = who;
  const [userId, name] = 'session' in who ? [who.session.userId, who.session.email] : [null, who.holder];
  await tx.execute(sql`
    insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
    values (${scope.customerId}, ${id}, ${agreement.purpose}, ${agreement.text}, ${agreement.version},
      ${userId}, ${name}, ${now}, ${origin.address}, ${origin.agent})`);
  await tellOfConsents(tx, scope.customerId, [id], now);
  return id;
}

/** Takes the permission to charge a customer's due invoices back. @param by who does it @returns whether there was one */
export async function revokeAutoPay(tx: Tx, customerId: string, by: string, now: Date): Promise<boolean> {
  const rows = await tx.many<{ id: string }>(sql`
    update consent set revoked_at = ${now}, revoked_by = ${by}
     where customer_id = ${customerId} and purpose = 'autoPay' and revoked_at is null returning id`);
  const ids = rows.map(({ id }) => id);
  await tellOfConsents(tx, customerId, ids, now);
  return ids.length > 0;
}
