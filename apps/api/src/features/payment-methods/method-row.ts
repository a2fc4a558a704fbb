import type { GatewayState, Method, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import * as z from 'zod/mini';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Secrets } from '../../secrets.ts';
import type { EngineDeps } from '../payments/service.ts';

/** What setting up and keeping methods needs of the server; the same as the payment engine. */
export type MethodDeps = Omit<EngineDeps, 'callWithinMs'>;

/** A saved method, active or not. */
export interface MethodRow {
  customer_id: string;
  id: string;
  gateway_account_id: string;
  payer_id: string | null;
  kind: MethodKind;
  token_digest: Buffer;
  gateway_state_sealed: Buffer;
  show: Record<string, string>;
  expires: string | null;
  fingerprint: Buffer | null;
  usable: Method['usable'];
  state: 'active' | 'leaving' | 'gone';
  is_default: boolean;
  /** When it is read at the gateway without an event. */
  check_at: Date | null;
  created_at: Date;
}

export const methodColumns = sql`m.customer_id, m.id, m.gateway_account_id, m.payer_id, m.kind, m.token_digest,
  m.gateway_state_sealed, m.show, m.expires, m.fingerprint, m.usable, m.state, m.is_default, m.check_at, m.created_at`;

/** A customer as a gateway account knows it. */
export interface PayerRow {
  customer_id: string;
  id: string;
  gateway_account_id: string;
  gateway_state_sealed: Buffer;
  default_seen: Buffer | null;
}

export const payerColumns = sql`p.customer_id, p.id, p.gateway_account_id, p.gateway_state_sealed, p.default_seen`;

const gatewayState = z.record(z.string(), z.string());

/** States of a gateway are bound to the row they stand in. */
export const seal = (secrets: Secrets, content: GatewayState, rowId: string): Buffer =>
  secrets.seal(JSON.stringify(content), rowId);

export const unseal = (secrets: Secrets, sealed: Uint8Array, rowId: string): GatewayState =>
  gatewayState.parse(JSON.parse(secrets.open(sealed, rowId)));

/** What a gateway's name is the name of. */
export type About = 'payer' | 'method' | 'mandate' | 'setup';

/** A gateway's name as it is stored: equal names have equal digests, and none can be read or charged. */
export const remoteDigest = (secrets: Secrets, about: About, accountId: string, remote: string): Buffer =>
  secrets.digest(remote, `${about}:${accountId}`);

interface Named {
  readonly about: About;
  readonly accountId: string;
  readonly remote: string;
}

const lookUpKey = (secrets: Secrets, { about, accountId, remote }: Named): string =>
  `~${remoteDigest(secrets, about, accountId, remote).toString('hex')}`;

/** Lets an event of the gateway find whose it is. */
export const nameObject = (tx: Tx, secrets: Secrets, customerId: string, named: Named) =>
  tx.execute(sql`
    insert into gateway_object (gateway_account_id, remote, customer_id, about)
    values (${named.accountId}, ${lookUpKey(secrets, named)}, ${customerId}, ${named.about})
    on conflict do nothing`);

/** The customer whom a gateway's name belongs to. */
export async function whoseIs(db: Db, secrets: Secrets, named: Named): Promise<string | undefined> {
  const row = await db.maybeOne<{ customer_id: string }>(sql`
    select customer_id from gateway_object
     where gateway_account_id = ${named.accountId} and remote = ${lookUpKey(secrets, named)}`);
  return row?.customer_id;
}

/** Whoever changes a customer's methods takes this lock first: defaults and doubles are decided one at a time. */
export const lockMethods = (tx: Tx, customerId: string) =>
  tx.one(sql`select 1 from customer where customer_id = ${customerId} for no key update`);

/** Month of a moment as `expires` is written; cards are valid through the last day (UTC) of theirs. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);
