import type { Action, Decline, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import * as z from 'zod/mini';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { Secrets } from '../../../secrets.ts';
import { leaseFrom, unknownPauseMs } from '../../payments/service.ts';

export type SetupState =
  | 'sending'
  | 'browser'
  | 'redirect'
  | 'underWay'
  | 'unknown'
  | 'saved'
  | 'refused'
  | 'failed'
  | 'expired';

/** Whose method it becomes, and who asked for it. */
export interface SetupPerson {
  readonly name: string;
  readonly email: string;
  readonly resellerId: number;
  readonly userId: string;
  readonly userEmail: string;
  /** Support staff who acted as the user. */
  readonly actor: string | null;
}

/** One try to save a method. */
export interface SetupRow {
  customer_id: string;
  id: string;
  gateway_account_id: string;
  ref: string;
  request_digest: Buffer | null;
  by: 'token' | 'browser';
  kind: MethodKind;
  scheme: string;
  state: SetupState;
  is_open: boolean;
  payer_id: string | null;
  gateway_state_sealed: Buffer | null;
  action_sealed: Buffer | null;
  needs: { fields: string[]; page?: string } | null;
  decline: Decline | null;
  payment_method_id: string | null;
  consent_id: string | null;
  person: SetupPerson;
  return_to: string;
  lookups: number;
  created_at: Date;
}

export const setupColumns = sql`s.customer_id, s.id, s.gateway_account_id, s.ref, s.request_digest, s.by, s.kind,
  s.scheme, s.state, s.is_open, s.payer_id, s.gateway_state_sealed, s.action_sealed, s.needs, s.decline, s.payment_method_id,
  s.consent_id, s.person, s.return_to, s.lookups, s.created_at`;

const action = z.discriminatedUnion('do', [
  z.object({ do: z.literal('redirect'), to: z.string() }),
  z.object({ do: z.literal('frame'), url: z.string(), origins: z.array(z.string()) }),
  z.object({ do: z.literal('browser'), config: z.record(z.string(), z.string()) }),
]);

/** What the payer's browser must do; sealed, for it may hold what opens the setup at the provider. */
export function actionOf(row: SetupRow, secrets: Secrets): Action | undefined {
  if (row.action_sealed === null) return undefined;
  return action.parse(JSON.parse(secrets.open(row.action_sealed, row.id)));
}

export const findSetup = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<SetupRow>(sql`
    select ${setupColumns} from method_setup s where s.customer_id = ${scope.customerId} and s.id = ${id}`);

export const findSetupByKey = (db: Db, scope: CustomerScope, clientKey: string) =>
  db.maybeOne<SetupRow>(sql`
    select ${setupColumns} from method_setup s
     where s.customer_id = ${scope.customerId} and s.client_key = ${clientKey}`);

/** The setup of the same token by the same customer that is open or was successful. */
export const findSetupOf = (db: Db, scope: CustomerScope, requestDigest: Buffer) =>
  db.maybeOne<SetupRow>(sql`
    select ${setupColumns} from method_setup s
     where s.customer_id = ${scope.customerId} and s.request_digest = ${requestDigest}
       and (s.is_open or s.state = 'saved') order by s.is_open desc, s.created_at desc limit 1`);

/** The set-up that a page of this customer has open for the provider's script. */
export const findOpenSetup = (db: Db, scope: CustomerScope, accountId: string, scheme: string) =>
  db.maybeOne<SetupRow>(sql`
    select ${setupColumns} from method_setup s
     where s.customer_id = ${scope.customerId} and s.gateway_account_id = ${accountId} and s.scheme = ${scheme}
       and s.by = 'browser' and s.is_open order by s.created_at desc limit 1`);

// ---- When to look again ----

const CUSTOMER_GONE_MS = 30 * 60_000;
const HOUR_MS = 60 * 60_000;
/** A setup this old is given up. Nothing is closed at the gateway: if it is completed all the same, the method is kept. */
export const EXPIRES_AFTER_MS = 23 * HOUR_MS;
/** Small deposits and their bank statement take days. */
export const UNDER_WAY_FOR_MS = 30 * 24 * HOUR_MS;

/** When an open setup is to be looked at next; null for one that has ended. */
export function nextLookAt(
  state: SetupState,
  row: Pick<SetupRow, 'created_at' | 'lookups'>,
  now: Date,
): Date | null {
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  const ageMs = now.getTime() - row.created_at.getTime();
  switch (state) {
    case 'sending':
      return leaseFrom(now);
    case 'unknown':
      return inMs(unknownPauseMs(ageMs, row.lookups));
    case 'redirect':
      return inMs(ageMs > CUSTOMER_GONE_MS ? HOUR_MS : 60_000);
    case 'browser':
    case 'underWay':
      return inMs(HOUR_MS);
    default:
      return null;
  }
}
