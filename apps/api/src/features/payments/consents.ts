import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Origin } from '../../http/origin.ts';
import type { CustomerScope, SessionScope } from '../../http/scope.ts';

/** Who agrees, and from where. */
export interface Agreeing {
  readonly session: SessionScope;
  readonly scope: CustomerScope;
  readonly origin: Origin;
}

export interface Agreement {
  readonly purpose: 'autoPay' | 'mandate';
  readonly text: string;
  readonly version: string;
}

/** Keeps what somebody has agreed to, word for word. @returns its id */
export async function keepConsent(tx: Tx, who: Agreeing, agreement: Agreement, now: Date): Promise<string> {
  const id = newId(now.getTime());
  const { session, scope, origin } = who;
  await tx.execute(sql`
    insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
    values (${scope.customerId}, ${id}, ${agreement.purpose}, ${agreement.text}, ${agreement.version},
      ${session.userId}, ${session.email}, ${now}, ${origin.address}, ${origin.agent})`);
  return id;
}
