import { newId } from '@counterfoil/domain/ids.ts';
import type { TestFixture } from './test-fixture.ts';

/** A bulk payment of one invoice. */
export async function addSession(
  fixture: TestFixture,
  { customerId, resellerId, mark }: { resellerId: number; customerId: string; mark: string },
): Promise<string> {
  const invoice = await fixture.make.invoice({
    customerId,
    resellerId,
    number: `${mark}-gbp`,
    currency: 'GBP',
  });
  const [id, publicId] = [newId(), newId()];
  const add = (text: string, values: unknown[]) =>
    fixture.database.pool().query(text, [customerId, ...values]);
  const now = fixture.clock.now();
  await add(
    `insert into pay_session (customer_id, id, reseller_id, origin, public_id, client_id, currency, total_minor,
       credit_minor, quote_digest, created_at) values ($1, $2, $3, 'bulk', $4, $5, 'GBP', 11000, 0, '', $6)`,
    [id, resellerId, publicId, mark, now],
  );
  await add('insert into pay_session_ref (public_id, customer_id, session_id) values ($3, $1, $2)', [
    id,
    publicId,
  ]);
  await add(
    `insert into pay_session_line (customer_id, session_id, line_no, kind, invoice_id, amount_minor)
     values ($1, $2, 1, 'invoice', $3, 11000)`,
    [id, invoice.id],
  );
  await add(
    "insert into customer_credit (customer_id, currency) values ($1, 'GBP') on conflict do nothing",
    [],
  );
  return publicId;
}

/** A payment that credit made alone. */
export async function addPayment(
  fixture: TestFixture,
  { customerId, resellerId, mark }: { resellerId: number; customerId: string; mark: string },
): Promise<string> {
  const [id, now] = [newId(), fixture.clock.now()];
  await fixture.database.pool().query(
    `insert into pay_session (customer_id, id, reseller_id, origin, public_id, currency, total_minor, credit_minor,
       quote_digest, created_at, settled_ref, settled_at)
     values ($1, $2, $3, 'bulk', $6, 'USD', 0, 100, '', $4, $5, $4)`,
    [customerId, id, resellerId, now, `PAID ${mark}`, newId()],
  );
  return id;
}
