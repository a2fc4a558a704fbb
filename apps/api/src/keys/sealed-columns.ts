/** A column whose values are sealed, and to what each is bound. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The context of a row, as an expression of its columns. */
  readonly context: string;
}

const columns = (table: string, context: string, ...names: readonly string[]): readonly SealedColumn[] =>
  names.map((column) => ({ table, column, context }));

/** Every column that holds something sealed. A test compares it with the tables. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...columns('gateway_account', 'id::text', 'secrets'),
  ...columns('gateway_verification_run', "'verification:' || id", 'settings'),
  ...columns('company', 'id::text', 'client_secret'),
  ...columns('sso_attempt', "encode(state_hash, 'hex')", 'verifier_sealed'),
  ...columns('second_factor', "'second-factor:' || user_id", 'secret', 'pending_secret'),
  ...columns('refresh_token', 'session_id::text', 'successor_sealed'),
  ...columns('operator', "'operator:' || id", 'otp_secret'),
  ...columns('operator_invitation', "'operator:' || operator_id", 'otp_secret'),
  ...columns('operator_sso', 'id::text', 'client_secret'),
  ...columns('operator_sso_attempt', "encode(state_hash, 'hex')", 'verifier_sealed'),
  ...columns('invoice_pay_link', "'pay-link:' || invoice_id", 'token_sealed'),
  ...columns('attempt', 'id::text', 'gateway_state_sealed', 'method_sealed', 'payer_sealed', 'owner_sealed'),
  ...columns('payment_entry', 'id::text', 'gateway_state_sealed', 'input_sealed'),
  ...columns('payer', 'id::text', 'gateway_state_sealed'),
  ...columns('payment_method', 'id::text', 'gateway_state_sealed'),
  ...columns('method_setup', 'id::text', 'gateway_state_sealed', 'action_sealed'),
  ...columns('inbox', "'inbox ' || gateway_account_id || ' ' || event_key", 'event_sealed'),
  ...columns('webhook_endpoint', "'webhook-endpoint:' || id", 'secret_sealed', 'previous_sealed'),
];
