import { type Sql, sql } from '../../db/sql.ts';

/** Whose data is meant: a person who signs in to the portal, or a customer of a reseller. */
export type Subject =
  | { readonly kind: 'user'; readonly id: string; readonly email: string }
  | { readonly kind: 'customer'; readonly id: string };

type Where<Kind extends Subject['kind']> = (of: Extract<Subject, { kind: Kind }>) => Sql<boolean>;

/** A table whose rows are handed out to those they are about. */
export interface HandedOut {
  /** What a record is, in the words of the index. */
  readonly about: string;
  /** Which rows are about a user, and which about a customer; without it none are. */
  readonly user?: Where<'user'>;
  readonly customer?: Where<'customer'>;
  /** Columns that stay here: what opens something, what is about others, what says only how we work. */
  readonly without?: readonly string[];
}

const byUser: Where<'user'> = ({ id }) => sql`x.user_id = ${id}`;
const byCustomer: Where<'customer'> = ({ id }) => sql`x.customer_id = ${id}`;
const ofAttempts: Where<'user'> = ({ id, email }) =>
  sql`x.customer_id in (select m.customer_id from membership m where m.user_id = ${id}) and x.receipt_email = ${email}`;

const ofUser = (about: string, ...without: string[]): HandedOut => ({ about, user: byUser, without });
const ofCustomer = (about: string, ...without: string[]): HandedOut => ({
  about,
  customer: byCustomer,
  without,
});
const ofBoth = (about: string, ...without: string[]): HandedOut => ({
  about,
  user: byUser,
  customer: byCustomer,
  without,
});

const PROVIDER = 'settings of the provider';
const STAFF = 'a person of the provider';
const SUMS = 'sums of usage records, which are handed out';
const LEADS = 'leads from a name to a customer; what it leads to is handed out';
const SHORT = 'numbers for one sign-in, good for minutes';
const WORK = 'work that the program has still to do';

/**
 * What is handed out of every table, or why nothing is. Columns of bytes are never: they are hashes, keys and sealed
 * values. A test compares this list with the tables that there are.
 */
export const heldTables: Readonly<Record<string, HandedOut | string>> = {
  app_user: {
    about: 'a user of the portal: name, address, state',
    user: ({ id }) => sql`x.id = ${id}`,
    customer: ({ id }) => sql`x.id in (select m.user_id from membership m where m.customer_id = ${id})`,
    without: ['password_hash'],
  },
  membership: ofBoth('that a user may see a customer'),
  user_preference: ofUser('what a user has set for themselves'),
  user_session: ofUser(
    'a sign-in: when, from where, with what, and when it ended',
    'passkey_id',
    'operator_id',
  ),
  one_time_token: ofUser('a mailed link to choose a password; what it opens is not kept'),
  second_factor: ofUser('that an authenticator app is set up, without its key', 'last_step'),
  recovery_code: ofUser('that a recovery code was made or used, without the code'),
  passkey: ofUser('a passkey: its name, since when, last use; without its keys', 'counter'),
  login_code: ofUser('that support was let in in a user’s name', 'operator_id'),
  customer: ofCustomer('the customer: name, address, reference'),
  customer_identity: ofCustomer('what a customer is known by: references, account codes, lines'),
  company_customer: ofCustomer('the company whose people sign in for a customer by single sign-on'),
  agreement: ofCustomer('an agreement'),
  billing_period: ofCustomer('a billing period'),
  service_item: ofCustomer('a service item, such as a line'),
  service_item_number: ofCustomer('a number of a service item'),
  bundle: ofCustomer('a bundle'),
  bundle_product: ofCustomer('what is in a bundle'),
  cost_centre_change: ofBoth('that cost centres were changed'),
  cost_centre_change_item: ofCustomer('a service item whose cost centre was changed'),
  invoice: ofCustomer('an invoice or credit note, with supplier and buyer as they stand on it'),
  invoice_line: ofCustomer('a line of an invoice'),
  invoice_credit: ofCustomer('what a credit note took off an invoice'),
  invoice_document: ofCustomer('that the PDF of an invoice is kept; the files are in documents/', 'file_key'),
  invoice_mail: ofCustomer('that an invoice was mailed or reminded of'),
  usage_record: ofCustomer('a usage record: one call or session'),
  usage_billed: ofCustomer('on which line of an invoice a usage record was billed'),
  usage_archived_line: ofCustomer('what the archived usage records of a line came to'),
  balance_adjustment: ofCustomer('an adjustment of the balance'),
  pay_session: ofCustomer('what was to be paid at once', 'public_id', 'client_id', 'settled_ref'),
  pay_session_line: ofCustomer('an invoice or fee that was to be paid at once'),
  attempt: {
    about: 'a payment or refund that was tried',
    customer: byCustomer,
    user: ofAttempts,
    without: ['action', 'return_to', 'client_key', 'lookups', 'looked_up_at', 'next_lookup_at', 'after_end'],
  },
  claim: ofCustomer('an invoice that a payment was for'),
  transition: ofCustomer('how the state of a payment changed'),
  capture: ofCustomer('money that was taken'),
  allocation: ofCustomer('to which invoice money was booked'),
  reversal: ofCustomer('money that was given back or taken back'),
  resubmission: ofCustomer('a debit that was sent again'),
  failed_collection: ofCustomer('a debit that failed'),
  ledger: ofCustomer('an entry of the books'),
  customer_credit: ofCustomer('the credit of a customer'),
  credit_use: ofCustomer('credit that was used'),
  external_payment: ofCustomer('a payment that came outside the portal', 'recorded_by'),
  external_payment_share: ofCustomer('an invoice that it was for'),
  bank_entry: ofCustomer(
    'an entry of a bank statement that was booked to a customer',
    'candidates',
    'reasons',
    'decided_by',
    'file_id',
  ),
  payment_method: ofCustomer('a saved card or bank account, masked'),
  mandate: ofCustomer('a mandate to debit an account'),
  method_setup: ofCustomer(
    'that a card or bank account was entered to be saved',
    'client_key',
    'return_to',
    'needs',
    'by',
    'lookups',
    'next_lookup_at',
  ),
  consent: ofBoth('a consent as it was given: words, when, from where'),
  autopay_plan: ofCustomer('what Auto-Pay was to do about an invoice'),
  autopay_run: ofCustomer('what Auto-Pay did'),
  invoice_pay_link: ofCustomer('that an invoice has a pay link, without the link'),
  report_job: ofBoth('a report that was asked for; its file is made of what is here', 'path', 'file_key'),
  mail: {
    about: 'a mail as it was sent, without what its link opened',
    user: ({ id, email }) => sql`
      x.user_id = ${id} or (lower(x.address) = ${email}
        and x.reseller_id = (select u.reseller_id from app_user u where u.id = ${id}))`,
    customer: byCustomer,
    without: ['task', 'payload', 'job_id', 'orders', 'operator_id'],
  },
  audit_event: {
    about: 'a line of the audit trail: what was done, when and from where',
    user: ({ id, email }) => sql`(x.user_id = ${id} or x.user_email = ${email})`,
    customer: byCustomer,
    without: ['seal', 'salt'],
  },
  webhook_message: ofCustomer('what programs of the provider were told'),
  import_file: {
    about: 'a file of the provider that made or changed something of a customer',
    customer: ({ id }) => sql`x.id in (select c.file_id from import_change c where c.customer_id = ${id})`,
    without: [
      'warnings',
      'options',
      'source',
      'preview',
      'file_key',
      'added_by',
      'units',
      'price',
      'undo_refused',
    ],
  },

  import_change: 'what an import made, by ids; the file and the things themselves are handed out',
  import_quarantine: 'a row of a file that could not be placed: of nobody yet',
  quarantine_entry: 'the same, kept until it can be placed',
  account_day: 'sums of invoices and payments, which are handed out',
  usage_day: SUMS,
  usage_type_day: SUMS,
  usage_item_month: SUMS,
  usage_sample: 'positions in long lists of usage records',
  usage_version: 'how often usage records changed',
  usage_customer: 'how many usage records there are',
  usage_selection: 'which lines and beginnings of numbers are added up',
  usage_selection_day: SUMS,
  usage_columns: 'usage records by place, figure and number, to be counted quickly',
  usage_key: 'ids of usage records, which are handed out',
  service_item_version: 'how often service items changed',
  pay_link: LEADS,
  attempt_ref: LEADS,
  pay_session_ref: LEADS,
  gateway_object: LEADS,
  external_payment_ref: LEADS,
  provider_reference: LEADS,
  reseller_customer: LEADS,
  invoice_identity: LEADS,
  payer: 'what a gateway calls the payer, sealed',
  payment_entry: 'numbers on their way to a gateway, sealed; deleted within the hour',
  outbox: 'mails that are to be sent; sent ones are handed out',
  after_end_task: WORK,
  refresh_token: 'hashes of what keeps a session; sessions are handed out',
  mfa_challenge: SHORT,
  passkey_challenge: SHORT,
  sso_attempt: SHORT,
  sso_code: SHORT,
  rate_limit: 'a hash that says of nobody who they are',
  inbox: 'events of gateways, sealed; what came of them is handed out',
  audit_seal: 'hashes over lines of the audit trail',

  schema_migration: 'of the program',
  key_check: 'of the program',
  queue_worker: 'of the program',
  background_round: 'of the program',
  usage_month: 'of the program',
  event_cursor: 'of the program',
  payment_pause: 'of the program',
  reseller: PROVIDER,
  brand: PROVIDER,
  brand_host: PROVIDER,
  brand_image: PROVIDER,
  brand_preview: PROVIDER,
  invoice_mail_start: PROVIDER,
  service: PROVIDER,
  record_type: PROVIDER,
  gateway_account: PROVIDER,
  gateway_verification: PROVIDER,
  gateway_verification_run: PROVIDER,
  usage_mapping: PROVIDER,
  company: PROVIDER,
  company_domain: PROVIDER,
  api_key: PROVIDER,
  webhook_endpoint: PROVIDER,
  webhook_day: PROVIDER,
  webhook_delivery: 'whether programs of the provider were reached; what they were told is handed out',
  webhook_try: 'the same, each try',
  today_snooze: STAFF,
  operator: STAFF,
  operator_invitation: STAFF,
  operator_passkey: STAFF,
  operator_passkey_challenge: STAFF,
  operator_reset: STAFF,
  operator_session: STAFF,
  operator_sso: PROVIDER,
  operator_sso_attempt: STAFF,
};

/** The tables of which rows are handed out about such a subject, in the order of the list, with which rows. */
export function tablesAbout(
  subject: Subject,
): readonly { readonly table: string; readonly held: HandedOut; readonly where: Sql<boolean> }[] {
  return Object.entries(heldTables).flatMap(([table, held]) => {
    if (typeof held === 'string') return [];
    const where = subject.kind === 'user' ? held.user?.(subject) : held.customer?.(subject);
    return where === undefined ? [] : [{ table, held, where }];
  });
}
