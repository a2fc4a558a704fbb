import { readCatalogue } from '../../db/catalogue.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { tableClasses } from '../../db/table-classes.ts';

/** Everything that is of some resellers, by the ids other rows name it by. */
export interface Owners {
  readonly reseller: readonly number[];
  readonly customer: readonly string[];
  readonly user: readonly string[];
  readonly brand: readonly number[];
  readonly company: readonly string[];
  readonly account: readonly string[];
  readonly file: readonly string[];
  readonly operator: readonly string[];
  readonly operatorSso: readonly string[];
  readonly endpoint: readonly string[];
}

type Owner = keyof Owners | 'session';

const ofReseller = ['reseller_id', 'reseller'] as const;
const ofCustomer = ['customer_id', 'customer'] as const;
const ofUser = ['user_id', 'user'] as const;
const ofBrand = ['brand_id', 'brand'] as const;
const ofCompany = ['company_id', 'company'] as const;
const ofOperator = ['operator_id', 'operator'] as const;
const ofEndpoint = ['endpoint_id', 'endpoint'] as const;
const ofAccount = ['gateway_account_id', 'account'] as const;

/**
 * By which column a row says whose it is. Distributed tables, which all have a `customer_id`, are not listed; `null`:
 * rows of this table are nobody's.
 */
const owners: Readonly<Record<string, readonly [column: string, owner: Owner] | null>> = {
  reseller: ['id', 'reseller'],
  brand: ofReseller,
  brand_host: ofBrand,
  brand_image: ofBrand,
  brand_preview: ofBrand,
  invoice_mail_start: ofBrand,
  today_snooze: ofReseller,
  service: ofReseller,
  record_type: ofReseller,
  gateway_account: ofReseller,
  gateway_verification: ofAccount,
  gateway_verification_run: ofAccount,
  event_cursor: ofAccount,
  payment_pause: ofAccount,
  payment_entry: ofCustomer,
  external_payment_ref: ofReseller,
  provider_reference: ofReseller,
  app_user: ofReseller,
  membership: ofUser,
  user_preference: ofUser,
  usage_mapping: ofReseller,
  company: ofReseller,
  company_domain: ofCompany,
  company_customer: ofCompany,
  user_session: ofUser,
  refresh_token: ['session_id', 'session'],
  one_time_token: ofUser,
  second_factor: ofUser,
  recovery_code: ofUser,
  mfa_challenge: ofUser,
  login_code: ofUser,
  passkey: ofUser,
  passkey_challenge: ofUser,
  sso_attempt: ofCompany,
  sso_code: ofUser,
  customer_identity: ofReseller,
  reseller_customer: ofReseller,
  service_item_number: ofReseller,
  invoice_identity: ofReseller,
  pay_link: ofCustomer,
  gateway_object: ofAccount,
  attempt_ref: ofCustomer,
  pay_session_ref: ofCustomer,
  inbox: ofAccount,
  mail: ofReseller,
  import_file: ofReseller,
  bank_entry: ofReseller,
  import_quarantine: ['file_id', 'file'],
  import_change: ['file_id', 'file'],
  quarantine_entry: ['file_id', 'file'],
  api_key: ofReseller,
  operator: ofReseller,
  operator_invitation: ofOperator,
  operator_passkey: ofOperator,
  operator_passkey_challenge: ofOperator,
  operator_reset: ofOperator,
  operator_sso: ofReseller,
  operator_sso_attempt: ['operator_sso_id', 'operatorSso'],
  operator_session: ofOperator,
  webhook_endpoint: ofReseller,
  webhook_day: ofReseller,
  webhook_message: ofReseller,
  webhook_delivery: ofEndpoint,
  webhook_try: ofEndpoint,

  // The installation's own.
  schema_migration: null,
  key_check: null,
  // Months are everybody's; those that are empty afterwards go with their tables.
  usage_month: null,
  // What happened stays on record, and that the world was removed with it.
  audit_event: null,
  audit_seal: null,
  // A hash that says of nobody who they are; forgotten within the hour.
  rate_limit: null,
  queue_worker: null,
  background_round: null,
};

/** Collects who and what belongs to resellers. */
export async function readOwners(db: Db, reseller: readonly number[]): Promise<Owners> {
  const ids = async <Id>(table: string, column = 'id'): Promise<Id[]> =>
    (
      await db.many<{ id: Id }>(sql`
        select ${sql.id(column)} as id from ${sql.id(table)} where reseller_id = any(${[...reseller]}::int[])`)
    ).map(({ id }) => id);
  return {
    reseller,
    customer: await ids('customer', 'customer_id'),
    user: await ids('app_user'),
    brand: await ids('brand'),
    company: await ids('company'),
    account: await ids('gateway_account'),
    file: await ids('import_file'),
    operator: await ids('operator'),
    operatorSso: await ids('operator_sso'),
    endpoint: await ids('webhook_endpoint'),
  };
}

/** Which rows of a table are theirs; undefined where its rows are nobody's. @throws {RangeError} for an unknown table */
export function ownedRows(table: string, of: Owners): Sql | undefined {
  const found = tableClasses[table] === 'distributed' ? ofCustomer : owners[table];
  if (found === null) return undefined;
  if (found === undefined) throw new RangeError(`whose are the rows of ${table}?`);
  const [column, owner] = found;
  if (owner === 'session')
    return sql`${sql.id(column)} in (select id from user_session where user_id = any(${[...of.user]}::uuid[]))`;
  const type = owner === 'reseller' || owner === 'brand' ? 'int' : 'uuid';
  return sql`${sql.id(column)} = any(${[...of[owner]].map(String)}::${sql.raw(type)}[])`;
}

/** All tables, those that refer to others before these. */
export async function tablesInOrder(db: Db): Promise<readonly string[]> {
  const catalogue = await readCatalogue(db);
  const waiting = new Map(
    catalogue.map(({ name, keys }): [string, ReadonlySet<string>] => [
      name,
      new Set(keys.flatMap(({ target }) => (target === null || target === name ? [] : [target]))),
    ]),
  );
  const order: string[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.keys()].filter((name) => ![...waiting.values()].some((of) => of.has(name)));
    if (free.length === 0)
      throw new RangeError(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const name of free) waiting.delete(name);
    order.push(...free);
  }
  return order;
}
