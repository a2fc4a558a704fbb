import { newId, newRef } from '@counterfoil/domain/ids.ts';
import { openFileStore } from '../src/files/open-file-store.ts';
import { addPayment, addSession } from './customer-payments.ts';
import type { TestFixture } from './test-fixture.ts';

/** What a customer has beside invoices, by id. */
export interface CustomerThings {
  readonly agreementId: string;
  readonly periodId: string;
  readonly serviceId: string;
  readonly serviceItemId: string;
  readonly recordTypeId: string;
  /** A line of the invoice that billed one usage record. */
  readonly lineId: string;
  readonly costCentreChangeId: string;
  readonly reportJobId: string;
  /** A bank account and three cards; the first card is the default. */
  readonly methodIds: readonly [bank: string, ...cards: [string, string, string]];
  /** A setup that waits for the customer. */
  readonly setupId: string;
  /** Public id of a bulk payment in GBP that nothing has paid; a UUID, as whoever looks for ids in rows knows them. */
  readonly sessionId: string;
  /** A payment that credit made, with its receipt. */
  readonly paymentId: string;
  /** An invoice whose pay link nothing else uses. */
  readonly linkedInvoiceId: string;
  /** Path of the report's file; a UUID, as whoever looks for ids in rows knows them. */
  readonly reportPath: string;
}

/**
 * Gives a customer one of each: agreement, period, service item, invoice line, usage record, cost centre change, report.
 * @param mark stands in every text of theirs
 */
export async function addThings(
  fixture: TestFixture,
  whose: { readonly resellerId: number; readonly customerId: string; readonly mark: string },
  invoiceId: string,
): Promise<CustomerThings> {
  const { customerId, resellerId, mark } = whose;
  const [service, type, item, agreement, period, line, change, bundle] = Array.from({ length: 8 }, () =>
    newId(),
  ) as [...[string, string, string, string, string, string, string, string]];
  const add = (text: string, values: unknown[] = []) => fixture.database.pool().query(text, values);
  await add('insert into service (id, reseller_id, code, name) values ($1::uuid, $2, $1::text, $3)', [
    service,
    resellerId,
    mark,
  ]);
  await add(
    "insert into record_type (id, reseller_id, service_id, code, description) values ($1, $2, $3, 'DATA', $4)",
    [type, resellerId, service, mark],
  );
  await add('insert into agreement (customer_id, id, name) values ($1, $2, $3)', [
    customerId,
    agreement,
    mark,
  ]);
  await add(
    `insert into billing_period (customer_id, id, agreement_id, period_start, period_end)
       values ($1, $2, $3, '2026-01-01', '2026-01-31')`,
    [customerId, period, agreement],
  );
  await add(
    'insert into service_item (customer_id, id, service_id, agreement_id, name, cost_centre) values ($1, $2, $3, $4, $5, $5)',
    [customerId, item, service, agreement, mark],
  );
  await add(
    `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, price, currency,
       amount_minor, service_item_id, agreement_id, date_from)
     values ($1, $2, $3, 1, 'line', $4, 1, 100, 'USD', 10000, $5, $6, '2026-01-05')`,
    [customerId, line, invoiceId, mark, item, agreement],
  );
  await add("insert into usage_month (month, state) values ('2026-01-01', 'open') on conflict do nothing");
  await add(
    `create table if not exists usage_record_2026_01 partition of usage_record
       for values from ('2026-01-01') to ('2026-02-01')`,
  );
  const record = [customerId, '2026-01-05T10:00:00Z', newId()];
  await add(
    `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
       service_item2, units, price, content_hash) values ($1, $2, $3, $4, $5, $6, $7, 1, 1, 1)`,
    [...record, agreement, type, item, mark],
  );
  await add(
    'insert into usage_billed (customer_id, started_at, id, invoice_line_id) values ($1, $2, $3, $4)',
    [...record, line],
  );
  await add('insert into usage_key (customer_id, started_at, id) values ($1, $2, $3)', record);
  for (const day of ['2026-01-05', fixture.clock.now().toISOString().slice(0, 10)])
    await add(
      `insert into usage_type_day (customer_id, record_type_id, agreement_id, day, n, units, price)
       values ($1, $2, $3, $4, 1, 1, 1)`,
      [customerId, type, agreement, day],
    );
  await add(
    `insert into usage_day (customer_id, day, n, units, price) values ($1, '2026-01-05', 1, 1, 1)
     on conflict (customer_id, day) do update set n = usage_day.n + 1, units = usage_day.units + 1,
       price = usage_day.price + 1`,
    [customerId],
  );
  await add(
    `insert into usage_item_month (customer_id, service_item_id, agreement_id, month, n, units, price)
     values ($1, $2, $3, '2026-01-01', 1, 1, 1)`,
    [customerId, item, agreement],
  );
  await add(
    `insert into usage_sample (customer_id, month, sort, filter, version, n, distance, keys, times, ids, made_at)
     values ($1, '2026-01-01', 'price', $3, 1, 1, 1, array['1'], array[$2::timestamptz], array[$4::uuid], $2)
     on conflict do nothing`,
    [...record.slice(0, 2), mark, newId()],
  );
  await add('insert into service_item_version values ($1, 1) on conflict do nothing', [customerId]);
  await add(
    `insert into invoice_line (customer_id, id, line_no, kind, product_name, quantity, price, currency, amount_minor)
     values ($1, $2, 1, 'line', $3, 1, 100, 'USD', 10000)`,
    [customerId, newId(), mark],
  );
  await add('insert into bundle (customer_id, id, name) values ($1, $2, $3)', [customerId, bundle, mark]);
  await add(
    `insert into bundle_product (customer_id, bundle_id, line_no, product_name, record_type_ids, quantity)
     values ($1, $2, 1, $3, array[$4::uuid], 1)`,
    [customerId, bundle, mark, type],
  );
  await add(`update reseller set settings = settings || '{"dataUsageRecordTypes": ["DATA"]}' where id = $1`, [
    resellerId,
  ]);
  await add(
    `insert into cost_centre_change (customer_id, id, at, user_name) values ($1, $2, '2026-01-06T00:00:00Z', $3)`,
    [customerId, change, mark],
  );
  await add(
    `insert into cost_centre_change_item (customer_id, change_id, service_item_id, cost_centre_before, cost_centre_after)
     values ($1, $2, $3, null, $4)`,
    [customerId, change, item, mark],
  );
  return {
    agreementId: agreement,
    periodId: period,
    serviceId: service,
    serviceItemId: item,
    lineId: line,
    recordTypeId: type,
    costCentreChangeId: change,
    ...(await addMethods(fixture, whose)),
    sessionId: await addSession(fixture, whose),
    paymentId: await addPayment(fixture, whose),
    linkedInvoiceId: (await fixture.make.invoice({ customerId, resellerId, number: `${mark}-linked` })).id,
    ...(await addReport(fixture, whose)),
  };
}

/** Saved methods with payer, mandate and consents, and a setup that waits. */
async function addMethods(
  fixture: TestFixture,
  { customerId, resellerId, mark }: { resellerId: number; customerId: string; mark: string },
): Promise<Pick<CustomerThings, 'methodIds' | 'setupId'>> {
  const [payer, bank, first, second, third, setup, order] = Array.from({ length: 7 }, () => newId()) as [
    ...[string, string, string, string, string, string, string],
  ];
  const { secrets, clock } = fixture.deps;
  const pool = fixture.database.pool();
  const account = `(select id from gateway_account where reseller_id = ${resellerId} and is_active)`;
  const add = (text: string, values: unknown[]) => pool.query(text, [customerId, ...values, clock.now()]);
  const sealed = (id: string) => secrets.seal(JSON.stringify({ token: id }), id);
  await add(
    `insert into payer (customer_id, id, gateway_account_id, remote_digest, gateway_state_sealed, created_at)
     values ($1, $2, ${account}, $3, $4, $5)`,
    [payer, Buffer.from(payer), sealed(payer)],
  );
  for (const id of [bank, first, second, third])
    await add(
      `insert into payment_method (customer_id, id, gateway_account_id, payer_id, kind, token_digest, gateway_state_sealed, show,
         expires, usable, state, is_default, created_at, updated_at)
       values ($1, $2, ${account}, $3, $4, $5, $6, $7, '2031-08', 'now', 'active',
         $8 and not exists (select from payment_method where customer_id = $1 and is_default), $9, $9)`,
      [
        id,
        payer,
        id === bank ? 'bank' : 'card',
        Buffer.from(id),
        sealed(id),
        JSON.stringify({ type: id === bank ? 'own_debit' : 'x', last4: '4242', name: mark }),
        id === first,
      ],
    );
  for (const [id, purpose] of [[order, 'mandate'] as const, [newId(), 'autoPay'] as const])
    await add(
      `insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
       values ($1, $2, $3, $4, '1', $1, $4, $5, '203.0.113.7', 'test') on conflict do nothing`,
      [id, purpose, mark],
    );
  await add(
    `insert into mandate (customer_id, id, payment_method_id, remote_digest, scheme, state, show, consent_id,
       created_at, updated_at)
     values ($1, $2, $3, $4, 'x', 'active', $5, $6, $7, $7)`,
    [newId(), bank, Buffer.from(mark), JSON.stringify({ reference: mark }), order],
  );
  const person = {
    name: mark,
    email: `${mark}@saver.example`,
    resellerId,
    userId: customerId,
    userEmail: mark,
  };
  await add(
    `insert into method_setup (customer_id, id, gateway_account_id, ref, by, kind, scheme, state, payer_id, gateway_state_sealed,
       action_sealed, person, return_to, created_at, updated_at)
     values ($1, $2, ${account}, $3, 'token', 'card', 'card', 'redirect', $4, $5, $6, $7, 'https://portal.example', $8, $8)`,
    [
      setup,
      newRef(),
      payer,
      sealed(setup),
      secrets.seal(JSON.stringify({ do: 'redirect', to: 'https://bank.example' }), setup),
      JSON.stringify(person),
    ],
  );
  return { methodIds: [bank, first, second, third], setupId: setup };
}

/** A finished report with its file. */
async function addReport(
  fixture: TestFixture,
  { customerId, resellerId, mark }: { resellerId: number; customerId: string; mark: string },
): Promise<Pick<CustomerThings, 'reportJobId' | 'reportPath'>> {
  const [id, path] = [newId(), newId()];
  const key = `reports/${customerId}/${id}.csv`;
  async function* content(): AsyncIterable<Uint8Array> {
    yield Buffer.from(mark);
  }
  await openFileStore(fixture.deps.config.filesUrl).write(key, content());
  const now = fixture.clock.now();
  await fixture.database.pool().query(
    `insert into report_job (customer_id, id, reseller_id, user_id, definition, name, parameters, export_type,
       byte_order_mark, status, path, file_key, file_name, rows, size_bytes, created_at, finished_at, expires_at)
     values ($1, $2, $3, $4, 'payments', $5, '{}', 1, true, 30, $6, $7, $5 || '.csv', 1, 1, $8, $8,
       $8::timestamptz + interval '7 days')`,
    [customerId, id, resellerId, newId(), mark, path, key, now],
  );
  return { reportJobId: id, reportPath: path };
}

/** What a user has beside sessions and mailed links. */
export interface UserThings {
  readonly passkeyId: string;
}

/** Gives a user a passkey, a second factor with a recovery code, and a sign-in that waits for it. */
export async function addWaysIn(fixture: TestFixture, userId: string, mark: string): Promise<UserThings> {
  const passkeyId = newId();
  const now = fixture.clock.now();
  const add = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);
  await add(
    `insert into passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid,
       name, rp_id, created_at)
     values ($1, $2, $3, 'key', 0, '{}', 'multiDevice', true, gen_random_uuid(), $4, 'localhost', $5)`,
    [passkeyId, userId, Buffer.from(passkeyId), mark, now],
  );
  await add(
    'insert into second_factor (user_id, created_at, pending_secret, pending_at) values ($1, $2, $3, $2)',
    [userId, now, Buffer.from(mark)],
  );
  await add('insert into recovery_code (user_id, hash, created_at) values ($1, $2, $3)', [
    userId,
    Buffer.from(mark),
    now,
  ]);
  await add(
    `insert into mfa_challenge (hash, user_id, password_hash, created_at, expires_at)
     values ($1, $2, 'hash', $3, $3::timestamptz + interval '5 minutes')`,
    [Buffer.from(passkeyId), userId, now],
  );
  return { passkeyId };
}
