/**
 * The class of every table, so that the schema can be spread over machines (specification, decisions 4).
 * - `distributed`: by `customer_id`, which stands first in its primary, unique and foreign keys
 * - `reference`: small, the same everywhere
 * - `lookUp`: found by its own key; answers whose it is
 */
export type TableClass = 'distributed' | 'reference' | 'lookUp';

export const tableClasses: Readonly<Record<string, TableClass>> = {
  schema_migration: 'reference',
  reseller: 'reference',
  brand: 'reference',
  brand_host: 'reference',
  brand_image: 'reference',
  service: 'reference',
  record_type: 'reference',
  gateway_account: 'reference',
  app_user: 'reference',
  membership: 'reference',
  usage_month: 'reference',
  company: 'reference',
  company_domain: 'reference',
  company_customer: 'reference',

  audit_event: 'lookUp',
  rate_limit: 'lookUp',
  user_session: 'lookUp',
  refresh_token: 'lookUp',
  one_time_token: 'lookUp',
  second_factor: 'lookUp',
  recovery_code: 'lookUp',
  mfa_challenge: 'lookUp',
  login_code: 'lookUp',
  passkey: 'lookUp',
  passkey_challenge: 'lookUp',
  sso_attempt: 'lookUp',
  sso_code: 'lookUp',
  customer_identity: 'lookUp',
  reseller_customer: 'lookUp',
  service_item_number: 'lookUp',
  invoice_identity: 'lookUp',
  pay_link: 'lookUp',
  gateway_object: 'lookUp',
  attempt_ref: 'lookUp',
  inbox: 'lookUp',
  import_file: 'lookUp',
  import_quarantine: 'lookUp',

  customer: 'distributed',
  agreement: 'distributed',
  billing_period: 'distributed',
  service_item: 'distributed',
  cost_centre_change: 'distributed',
  cost_centre_change_item: 'distributed',
  invoice: 'distributed',
  invoice_line: 'distributed',
  invoice_credit: 'distributed',
  usage_record: 'distributed',
  usage_day: 'distributed',
  usage_type_day: 'distributed',
  usage_item_month: 'distributed',
  usage_version: 'distributed',
  usage_billed: 'distributed',
  pay_session: 'distributed',
  pay_session_line: 'distributed',
  attempt: 'distributed',
  claim: 'distributed',
  transition: 'distributed',
  capture: 'distributed',
  allocation: 'distributed',
  reversal: 'distributed',
  ledger: 'distributed',
  outbox: 'distributed',
};

/** Look-up tables whose rows are nobody's among the customers, and why. Every other one leads to a `customer_id`. */
export const belongsToNoCustomer: Readonly<Record<string, string>> = {
  inbox: 'that an event of a gateway was taken in; whose it is says gateway_object, by what the event names',
  import_file: 'one file of a provider, with rows of many customers',
  import_quarantine: 'a row of a file that could not be placed',
  rate_limit: 'how far a limit is used up, by a hash that says of nobody who they are',
  sso_attempt: 'a visit to an identity provider by somebody who is not known yet',
};
