import { newId } from '@counterfoil/domain/ids.ts';
import pg from 'pg';
import type { TestFixture } from './test-fixture.ts';

interface Whose {
  readonly resellerId: number;
  readonly customerId: string;
  readonly userId: string;
  readonly accountId: string;
  /** Stands in every text of theirs. */
  readonly mark: string;
}

const at = "'2026-01-05T10:00:00Z'";

/** Statements, one a table; for `$1` to `$7` stands what {@link addRareThings} gives them. */
const [reseller, customer, user, account, mark, id, invoice] = ['$1', '$2', '$3', '$4', '$5', '$6', '$7'];
const bytes = `convert_to(${mark} || ${id}::text, 'UTF8')`;
const company = `(select id from company where reseller_id = ${reseller})`;
const statements: readonly string[] = [
  `insert into brand_image values (${reseller}, 'logo', 'image/png', ${bytes})`,
  `insert into gateway_verification values (${id}, ${account}, ${at}, 'v', 'v', null, 'test', false, true, 1, 0, 0, 0, 0, '[]')`,
  `insert into user_preference values (${user}, 'grid', to_jsonb(${mark}::text))`,
  `insert into usage_mapping values (${reseller}, ${mark}, '{}', ${at})`,
  `insert into company (id, reseller_id, name, name_key, created_at) values (${id}, ${reseller}, ${mark}, ${mark}, ${at})`,
  `insert into company_domain select ${mark} || '.example', ${company}`,
  `insert into company_customer select ${company}, ${customer}::uuid`,
  `insert into login_code values (${bytes}, ${user}, ${customer}, ${mark}, 'reason', ${at}, '2026-01-05T10:01:00Z', null)`,
  `insert into passkey_challenge (id_hash, purpose, challenge, user_id, session_id, rp_id, origin, created_at, expires_at)
   select ${bytes}, 'registration', ${mark}, ${user}::uuid, (select id from user_session where user_id = ${user} limit 1),
          'localhost', 'http://localhost', ${at}, ${at}`,
  `insert into sso_attempt select ${bytes}, ${company}, ${bytes}, 'n', ${bytes}, 'http://localhost', null, ${at}, ${at}, null`,
  `insert into sso_code select ${bytes}, ${user}::uuid, ${company}, ${bytes}, 'http://localhost', ${at}, ${at}, null`,
  `insert into customer_identity values (${reseller}, 'name', ${mark}, ${customer})`,
  `insert into service_item_number
   select ${reseller}::int, ${mark}, customer_id, id from service_item where customer_id = ${customer} limit 1`,
  `insert into invoice_identity values (${reseller}, 'supplier', 'invoice', ${mark}, ${customer}, ${invoice})`,
  `insert into inbox (gateway_account_id, event_key, received_at) values (${account}, ${mark}, ${at})`,
  `insert into import_file (id, reseller_id, name, digest, state, started_at)
   values (${id}, ${reseller}, ${mark}, ${bytes}, 'done', ${at})`,
  `insert into import_quarantine select ${id}, id, 1, ${mark}, ${at} from import_file where reseller_id = ${reseller}`,
  `insert into quarantine_entry (id, reseller_id, file_id, kind, identity, ordinal, cause, reason, missing, first_seen_at, next_try_at)
   select ${id}, reseller_id, id, 'file', ${id}, 1, 'file', ${mark}, '{}', ${at}, ${at} from import_file where reseller_id = ${reseller}`,
  `insert into api_key (id, reseller_id, name, hash, created_at) values (${id}, ${reseller}, ${mark}, ${bytes}, ${at})`,
  `insert into invoice_credit values (${customer}, ${id}, ${invoice}, ${invoice}, 1, ${at})`,
  `insert into usage_version (customer_id, month, version) values (${customer}, '2026-01-01', 1)`,
  `insert into reversal select customer_id, ${id}, id, ${mark}, 'refund', 1, ${at} from capture where customer_id = ${customer}`,
  `insert into credit_use select customer_id, ${id}, id, null, ${invoice}, 1, ${at}
     from pay_session where customer_id = ${customer} limit 1`,
  `insert into autopay_plan (customer_id, invoice_id, state, updated_at) values (${customer}, ${invoice}, 'done', ${at})`,
  `insert into autopay_run values (${customer}, ${invoice}, 1, null, null, ${mark}, ${at})`,
];

/** What `addThings` leaves out: a row of every other table that says whose it is, but archived months. */
export async function addRareThings(fixture: TestFixture, whose: Whose): Promise<void> {
  const { resellerId, customerId, userId, accountId, mark: text } = whose;
  const open = await fixture.make.invoice({ customerId, resellerId, number: `${text}-rare` });
  const names = [resellerId, customerId, userId, accountId, text, newId(), open.id];
  for (const statement of statements)
    await fixture.database
      .pool()
      .query(statement.replace(/\$(\d)/g, (_, place) => pg.escapeLiteral(String(names[Number(place) - 1]))));
}
