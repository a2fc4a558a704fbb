import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../db/sql.ts';

/** A row of `payment_entry`. */
export interface EntryRow {
  id: string;
  customer_id: string;
  gateway_account_id: string;
  purpose: 'save' | 'payOnce';
  kind: MethodKind;
  scheme: string | null;
  invoice_id: string | null;
  session_id: string | null;
  gateway_state_sealed: Buffer;
  input_sealed: Buffer | null;
  expires_at: Date;
  used_at: Date | null;
}

export const entryColumns = sql`e.id, e.customer_id, e.gateway_account_id, e.purpose, e.kind, e.scheme, e.invoice_id,
  e.session_id, e.gateway_state_sealed, e.input_sealed, e.expires_at, e.used_at`;
