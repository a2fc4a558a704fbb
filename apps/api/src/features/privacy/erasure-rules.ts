import { type Sql, sql } from '../../db/sql.ts';
import type { Subject } from './held.ts';

/** Of an erasure of somebody. */
export interface ErasureOf {
  readonly subject: Subject;
  readonly resellerId: number;
  /** Invoices of before this day are not kept for the law any more; 'YYYY-MM-DD'. */
  readonly keepFrom: string;
  readonly now: Date;
}

/** What becomes of the rows about somebody. Rows are `x`. */
export type ErasureRule =
  | { readonly is: 'deleted'; readonly where: Sql<boolean>; readonly isLarge?: boolean }
  | { readonly is: 'changed'; readonly where: Sql<boolean>; readonly set: Sql }
  /** By means of its own. */
  | { readonly is: 'emptied'; readonly where: Sql<boolean> }
  | { readonly is: 'kept'; readonly why: string };

/** What stands where a name stood. */
export const ERASED = 'Erased';

const deleted = (where: Sql<boolean>): ErasureRule => ({ is: 'deleted', where });
const changed = (where: Sql<boolean>, set: Sql): ErasureRule => ({ is: 'changed', where, set });
const kept = (why: string): ErasureRule => ({ is: 'kept', why });

/** Rules by table, in the order in which they are applied; what others refer to comes last. */
export type ErasureRules = Readonly<Record<string, ErasureRule>>;

/** The person goes; what they agreed to and did stays as proof under their id, which then names nobody. */
function userRules({ subject, resellerId }: ErasureOf): ErasureRules {
  const { id } = subject;
  const email = subject.kind === 'user' ? subject.email : '';
  const mine = sql<boolean>`x.user_id = ${id}`;
  return {
    mail: deleted(sql`x.user_id = ${id} or (lower(x.address) = ${email} and x.reseller_id = ${resellerId})`),
    audit_event: {
      is: 'emptied',
      where: sql`x.user_id = ${id} or x.user_email = ${email}
        or (x.reseller_id = ${resellerId} and strpos(lower(x.detail::text), ${email}) > 0)`,
    },
    attempt: changed(
      sql`not x.is_open and x.receipt_email = ${email}
        and x.customer_id in (select m.customer_id from membership m where m.user_id = ${id})`,
      sql`receipt_email = null`,
    ),
    consent: changed(
      mine,
      sql`user_name = ${ERASED}, address = '', agent = '',
        revoked_by = case when revoked_by = user_name then ${ERASED} else revoked_by end`,
    ),
    cost_centre_change: changed(mine, sql`user_name = ${ERASED}`),
    report_job: kept('the id of who asked for it; forgotten within 37 days'),
    passkey_challenge: deleted(mine),
    mfa_challenge: deleted(mine),
    login_code: deleted(mine),
    one_time_token: deleted(mine),
    recovery_code: deleted(mine),
    second_factor: deleted(mine),
    sso_code: deleted(mine),
    user_preference: deleted(mine),
    // With its refresh tokens.
    user_session: deleted(mine),
    passkey: deleted(mine),
    membership: deleted(mine),
    app_user: deleted(sql`x.id = ${id}`),
  };
}

const BOOKS = 'the books: amounts, days and ids';
const TERMS = 'what was agreed with the provider: amounts, days and ids';
const PROOF = 'proof of what was agreed; it stays as long as the books';
const INDEX = 'ids only';
const SUMS = 'counts and sums, of archived months only';

/** The customer is without name and people; invoices stay as the law wants them for their term, and the books for good. */
function customerRules({ subject: { id }, keepFrom, now }: ErasureOf): ErasureRules {
  const mine = sql<boolean>`x.customer_id = ${id}`;
  const large = (where: Sql<boolean>): ErasureRule => ({ is: 'deleted', where, isLarge: true });
  const notArchived = (day: Sql) =>
    sql<boolean>`${mine} and date_trunc('month', (${day})::timestamp)::date not in (select month from usage_month where state = 'archived')`;
  const pastTerm = (invoice: Sql) =>
    sql<boolean>`${mine} and ${invoice} in (
      select i.id from invoice i where i.customer_id = ${id} and i.issued_on < ${keepFrom}::date)`;
  return {
    usage_billed: large(mine),
    usage_key: large(mine),
    usage_record: large(mine),
    usage_sample: large(mine),
    usage_columns: large(mine),
    usage_selection_day: large(mine),
    usage_selection: large(mine),
    usage_day: large(notArchived(sql`x.day`)),
    usage_type_day: large(notArchived(sql`x.day`)),
    usage_item_month: large(notArchived(sql`x.month`)),
    usage_customer: kept('how many records there were'),
    usage_version: kept(INDEX),
    usage_archived_line: kept(SUMS),
    mail: deleted(mine),
    webhook_message: deleted(mine),
    audit_event: { is: 'emptied', where: mine },
    report_job: deleted(mine),
    pay_link: deleted(mine),
    invoice_pay_link: deleted(mine),
    payment_entry: deleted(mine),
    login_code: deleted(mine),
    membership: deleted(mine),
    company_customer: deleted(mine),
    cost_centre_change_item: deleted(mine),
    cost_centre_change: deleted(mine),
    service_item_number: deleted(mine),
    service_item: changed(
      mine,
      sql`name = 'erased ' || id, description = null, cost_centre = null, site = null, external_ref = null`,
    ),
    service_item_version: kept(INDEX),
    invoice_document: deleted(pastTerm(sql`x.invoice_id`)),
    invoice_line: changed(
      pastTerm(sql`x.invoice_id`),
      sql`service_item = '', site_label = '', cost_centre = null, details = '', extra = '{}'`,
    ),
    invoice: changed(sql`${mine} and x.issued_on < ${keepFrom}::date`, sql`buyer = '{}', details = '{}'`),
    attempt: changed(
      sql`${mine} and not x.is_open`,
      sql`receipt_email = null, payer_sealed = null, owner_sealed = null`,
    ),
    method_setup: changed(sql`${mine} and not x.is_open`, sql`person = '{}'`),
    consent: changed(
      mine,
      sql`user_name = ${ERASED}, address = '', agent = '',
        revoked_by = case when revoked_by = user_name then ${ERASED} else revoked_by end`,
    ),
    payment_method: changed(sql`${mine} and x.state = 'gone'`, sql`show = '{}', expires = null`),
    customer_identity: deleted(sql`${mine} and x.kind <> 'externalRef'`),
    reseller_customer: changed(
      mine,
      sql`label = ${ERASED}, disabled_at = coalesce(disabled_at, ${now}::timestamptz)`,
    ),
    customer: changed(
      mine,
      sql`label = ${ERASED}, email = null, address = '{}', disabled_at = coalesce(disabled_at, ${now}::timestamptz), version = version + 1`,
    ),
    mandate: kept(PROOF),
    agreement: kept(TERMS),
    billing_period: kept(TERMS),
    bundle: kept(TERMS),
    bundle_product: kept(TERMS),
    balance_adjustment: kept(BOOKS),
    invoice_credit: kept(BOOKS),
    invoice_mail: kept(INDEX),
    pay_session: kept(BOOKS),
    pay_session_line: kept(BOOKS),
    claim: kept(BOOKS),
    transition: kept(BOOKS),
    capture: kept(BOOKS),
    allocation: kept(BOOKS),
    reversal: kept(BOOKS),
    resubmission: kept(BOOKS),
    failed_collection: kept(BOOKS),
    ledger: kept(BOOKS),
    account_day: kept(BOOKS),
    customer_credit: kept(BOOKS),
    credit_use: kept(BOOKS),
    external_payment: kept('the books; what its note says is the provider’s'),
    external_payment_share: kept(BOOKS),
    bank_entry: kept('a voucher of the bank, with the name that the bank told'),
    autopay_plan: kept(BOOKS),
    autopay_run: kept(BOOKS),
    import_file: kept('a file of the provider: its name and counts'),
    import_change: kept('ids of what an import made; forgotten after 30 days'),
    app_user: kept('people may sign in for others: each is erased by themselves'),
    payer: kept('the gateway’s name for the payer, sealed: refunds need it'),
    after_end_task: kept(INDEX),
    outbox: kept(INDEX),
    attempt_ref: kept(INDEX),
    pay_session_ref: kept(INDEX),
    gateway_object: kept(INDEX),
    external_payment_ref: kept(INDEX),
    provider_reference: kept(INDEX),
    invoice_identity: kept(INDEX),
  };
}

/** What becomes of every table with rows about somebody. */
export const erasureRules = (of: ErasureOf): ErasureRules =>
  of.subject.kind === 'user' ? userRules(of) : customerRules(of);
