import { expect, it } from 'vitest';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import type { AnyBrandMail } from './compose.ts';
import { promisedMailJob, promiseMail, queuePromises } from './outbox.ts';

const fixture = useFixture();
const KIND = 'receipt';

async function promised(customerId: string): Promise<{ readonly mails: string[]; readonly jobs: string[] }> {
  const pool = fixture.database.pool();
  const { rows: mails } = await pool.query('select id::text from outbox where customer_id = $1', [
    customerId,
  ]);
  const { rows: jobs } = await pool.query(
    `select key from graphile_worker.jobs where task_identifier = $1 and key = any(
       select $1 || ':' || id::text from outbox where customer_id = $2)`,
    [KIND, customerId],
  );
  return { mails: mails.map(({ id }) => id as string), jobs: jobs.map(({ key }) => key as string) };
}

it('a mail is promised once for each cause, however often and by how many that is reported', async () => {
  const { customer } = await fixture.seedPayer();
  const promise = (cause: string) =>
    fixture.engine.db.transaction((tx) =>
      promiseMail(tx, { kind: KIND, customerId: customer.id, cause, payload: {} }, fixture.clock.now()),
    );
  const queue = () => queuePromises(fixture.engine.db, fixture.clock);
  await Promise.all([promise('one'), promise('one'), promise('two')]);
  expect((await promised(customer.id)).jobs).toEqual([]);
  await Promise.all([queue(), queue()]);
  await promise('one');
  await queue();
  const { mails, jobs } = await promised(customer.id);
  expect(mails).toHaveLength(2);
  expect(jobs).toHaveLength(2);
});

it('a promise is gone with the transaction that made it, and stays open while there is nothing to send', async () => {
  const { customer } = await fixture.seedPayer();
  const promise = { kind: KIND, customerId: customer.id, cause: 'x', payload: { no: 7 } };
  const { db, clock } = fixture.engine;
  const undone = db.transaction(async (tx) => {
    await promiseMail(tx, promise, clock.now());
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await promised(customer.id)).toEqual({ mails: [], jobs: [] });

  await db.transaction((tx) => promiseMail(tx, promise, clock.now()));
  const [id] = (await promised(customer.id)).mails;
  const asked: unknown[] = [];
  const mailer = { send: () => Promise.reject(new Error('nothing is to be sent')) };
  const compose = async (given: unknown): Promise<AnyBrandMail | undefined> => void asked.push(given);
  const job = promisedMailJob({ db, clock, mailer, mailFrom: 'a@b.example' } as never, KIND, compose);
  const run = () => job.run({ customerId: customer.id, outboxId: id });
  await run();
  await fixture.database.pool().query('update outbox set done_at = now() where id = $1', [id]);
  await run();
  expect(asked).toEqual([{ customerId: customer.id, id, payload: { no: 7 } }]);
});
