import { receiptJob } from '../src/features/payments/receipts/receipt.ts';
import type { Mail } from '../src/mail/mailer.ts';
import type { TestFixture } from './test-fixture.ts';

/** Runs the receipt jobs of a customer, each twice, as a queue may. @returns what was mailed */
export async function mailReceipts(fixture: TestFixture, customerId: string): Promise<Mail[]> {
  const mails: Mail[] = [];
  const { databases, clock, secrets } = fixture.deps;
  // What is on the paper has tests of its own.
  const pdf = { render: async () => new Uint8Array() };
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const job = receiptJob({
    db: databases.jobs,
    clock,
    secrets,
    mailer,
    pdf,
    mailFrom: 'billing@test.example',
    publicUrl: new URL('http://localhost:3000'),
  });
  const { rows } = await fixture.database
    .pool()
    .query<{ id: string }>("select id from outbox where customer_id = $1 and kind = 'receipt'", [customerId]);
  for (const { id } of [...rows, ...rows]) await job.run({ customerId, outboxId: id });
  return mails;
}
