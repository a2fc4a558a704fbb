import { describe, expect, it } from 'vitest';
import { payLinkMails } from '../../../test/fixtures/paying/pay-link-mails.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import type { Mail } from '../../mail/mailer.ts';

const fixture = useFixture();
const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

const ask = (uid: string) =>
  fixture.app.inject({ method: 'POST', url: '/v1/ec/payment/link-by-mail', payload: { uid } });
const status = async (token: string) =>
  (await fixture.app.inject({ method: 'GET', url: `/v1/ec/payment/details/${token}` })).statusCode;

/** Does what waits in the queue. @returns the mails */
async function mails(): Promise<Mail[]> {
  const { job, sent } = payLinkMails(fixture);
  const waiting = await rows<{ payload: unknown; id: string }>(
    `select j.id::text, p.payload from graphile_worker.jobs j
       join graphile_worker._private_jobs p on p.id = j.id where j.task_identifier = 'payLinkMail' order by j.id`,
  );
  for (const { payload, id } of waiting) {
    await job.run(payload);
    await rows('select graphile_worker.complete_jobs(array[$1::bigint])', [id]);
  }
  return sent;
}

async function expired(email: string | null = 'jo@mail.example', over = {}) {
  const person = await signedIn(fixture);
  await rows('update customer set email = $2 where customer_id = $1', [person.customer.id, email]);
  const invoice = await fixture.seedPayable(person.customer, over);
  await rows('update invoice_pay_link set expires_at = $2 where invoice_id = $1', [
    invoice.id,
    fixture.clock.now(),
  ]);
  return { person, invoice };
}

describe('an expired pay link', () => {
  it('offers to mail a new one to the address on file; the new one works [decisions.6.control.pay-link-expired]', async () => {
    const { invoice } = await expired();
    expect(await status(invoice.token)).toBe(410);
    const answer = await ask(invoice.token);
    expect([answer.statusCode, answer.json()]).toEqual([202, { data: { status: 'accepted' } }]);
    expect(answer.body).not.toContain('jo@');
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'jo@mail.example' });
    expect(mail?.text).toContain('$110.00 is open');
    const token = /\/pay\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(token).not.toBe(invoice.token);
    expect(await status(token)).toBe(200);
    // Asked for again from the old page: the same link, which others may have open.
    fixture.clock.advance(1_000);
    await ask(invoice.token);
    expect((await mails())[0]?.text).toContain(token);
  });

  it('is answered alike for an unknown link, one without an address, and one that is paid', async () => {
    const [bare, paid] = [await expired(null), await expired()];
    await rows('update invoice set status = 11, paid_minor = payable_minor where id = $1', [paid.invoice.id]);
    const answers = [
      await ask('nobody-has-this'),
      await ask(bare.invoice.token),
      await ask(paid.invoice.token),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([202, { data: { status: 'accepted' } }]);
    expect(await mails()).toEqual([]);
  });

  it('keeps no link in the queue, and mails only so often', async () => {
    const { invoice } = await expired();
    const codes = [];
    for (let n = 0; n < 5; n += 1) codes.push((await ask(invoice.token)).statusCode);
    expect(codes).toEqual([202, 202, 202, 429, 429]);
    const waiting = await rows<{ payload: object }>(
      "select p.payload from graphile_worker._private_jobs p join graphile_worker.jobs j on j.id = p.id where j.task_identifier = 'payLinkMail'",
    );
    expect(waiting).toHaveLength(1);
    expect(JSON.stringify(waiting)).not.toContain(invoice.token);
    expect(await mails()).toHaveLength(1);
  });
});

describe('a pay link', () => {
  it('can be rotated by its customer: the old one is over, the new one works, and it is on record [decisions.6.control.pay-link-rotate]', async () => {
    const { person } = await expired();
    const invoice = await fixture.seedPayable(person.customer);
    const answer = await person.call('POST', `/v1/ec/invoice/${invoice.id}/pay-link`, {});
    expect(answer.statusCode, answer.body).toBe(200);
    const { payToken, payLink } = answer.json().data;
    expect(payLink).toContain(`/pay/${payToken}`);
    expect([await status(invoice.token), await status(payToken)]).toEqual([410, 200]);
    expect(
      await rows("select 1 from audit_event where action = 'payLink.rotated' and customer_id = $1", [
        person.customer.id,
      ]),
    ).toHaveLength(1);
    const other = await expired();
    expect((await other.person.call('POST', `/v1/ec/invoice/${invoice.id}/pay-link`, {})).statusCode).toBe(
      404,
    );
    expect(await status(payToken)).toBe(200);
  });
});
