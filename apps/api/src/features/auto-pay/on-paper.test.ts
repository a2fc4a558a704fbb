import { describe, expect, it } from 'vitest';
import {
  fixture,
  payer,
  payerWithCredit,
  roundAt,
  rows,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';
import { readPdf } from '../../pdf/read-pdf.ts';

type Payer = Awaited<ReturnType<typeof payer>>;

const withFee = { cardFee: { basisPoints: 200, fixedMinor: 0, capMinor: null } };
const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';
const NO_NEED = 'Auto-Pay: no need to pay';

const declineWith = (isFinal: boolean) => {
  const why = { class: 'retryLater', code: 'insufficient_funds', text: 'Not enough funds' } as const;
  fixture.gateway.onCharge = async () => ({
    is: 'declined',
    why: isFinal ? { ...why, final: true } : why,
  });
};

async function textOf(answer: { readonly statusCode: number; readonly rawPayload: Buffer }) {
  expect(answer.statusCode).toBe(200);
  const pdf = await readPdf(answer.rawPayload);
  return (pdf.pages[0]?.text ?? '').replace(/\s+/g, ' ');
}

const invoicePaper = async (me: Payer, id: string) => textOf(await me.call('GET', `/v1/ec/invoices/${id}`));
const statementPaper = async (me: Payer) =>
  textOf(await me.call('GET', '/v1/ec/statement/pdf?dateFrom=2026-03-01&dateTo=2026-03-31'));

interface Case {
  readonly name: string;
  readonly make: () => Promise<Payer>;
  readonly dueOn?: string;
  /** What has happened when the letter is made. */
  readonly before?: (me: Payer) => Promise<unknown>;
  /** Day and amount that the letter promises; undefined where it asks for payment. */
  readonly says?: readonly [day: string, amount: string];
}

const cases: readonly Case[] = [
  {
    name: 'before it is announced',
    make: () => payer({ brand: withFee }),
    says: ['03.15.2026', '$112.20'],
  },
  {
    name: 'announced',
    make: () => payer({ brand: withFee }),
    before: (me) => roundAt(ahead, me.resellerId),
    says: ['03.15.2026', '$112.20'],
  },
  {
    name: 'later than its due date',
    make: () => payer(),
    dueOn: '2026-02-20',
    says: ['03.05.2026', '$110.00'],
  },
  {
    name: 'partly paid by credit',
    make: () => payerWithCredit(5_000n),
    says: ['03.15.2026', '$66.00'],
  },
  {
    name: 'declined once',
    make: () => payer(),
    says: ['03.18.2026', '$110.00'],
    before: async (me) => {
      declineWith(false);
      await roundAt(ahead, me.resellerId);
      await roundAt(due, me.resellerId);
      fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    },
  },
  {
    name: 'that the bank forbids to try again',
    make: () => payer(),
    before: async (me) => {
      declineWith(true);
      await roundAt(ahead, me.resellerId);
      await roundAt(due, me.resellerId);
    },
  },
  { name: 'of a customer who did not agree', make: () => payer({ consents: false }) },
  { name: 'of a customer without a method', make: () => payer({ card: null }) },
  {
    name: 'whose card ends before',
    make: () => payer(),
    before: (me) =>
      rows(`update payment_method set expires = '2026-02' where customer_id = $1`, [me.customerId]),
  },
];

describe('an invoice on paper that auto-pay may charge', () => {
  it.each(cases)('$name: what it says is what is taken', async ({ make, dueOn, before, says }) => {
    const me = await make();
    const bill = await me.bill(dueOn === undefined ? {} : { dueOn });
    await before?.(me);
    const text = await invoicePaper(me, bill.id);
    expect(text.includes(NO_NEED)).toBe(says !== undefined);
    expect(text.includes('Scan to pay')).toBe(says === undefined);
    if (says === undefined) return;
    const [day, amount] = says;
    expect(text).toContain(
      `We take ${amount} from Visa ending 4242 on ${day}. There is nothing you have to do.`,
    );
    expect(text).toContain('switch Auto-Pay off');
    const iso = day.replace(/(..)\.(..)\.(....)/, '$3-$1-$2');
    await roundAt('2026-03-02T09:00:00Z', me.resellerId);
    await roundAt(ahead < `${iso}` ? ahead : '2026-03-02T09:00:00Z', me.resellerId);
    const early = [...fixture.gateway.taken.values()].flat();
    await roundAt(`${iso}T06:00:00Z`, me.resellerId);
    const minor = BigInt(amount.replace(/\D/g, ''));
    expect([early, [...fixture.gateway.taken.values()].flat()]).toEqual([[], [minor]]);
  });

  it('tells what is taken at most where credit may be used otherwise, and what credit alone pays', async () => {
    const some = await payerWithCredit(5_000n);
    expect(await invoicePaper(some, (await some.bill()).id)).toContain(
      '$121.00 at most, if your credit is used',
    );
    const much = await payerWithCredit(50_000n);
    expect(await invoicePaper(much, (await much.bill()).id)).toContain(
      'Your credit of $110.00 pays it on 03.15.2026. Nothing is taken from Visa ending 4242.',
    );
  });

  it('does not name the card to whoever has the pay link', async () => {
    const me = await payer();
    const { token } = await me.bill();
    const answer = await fixture.app.inject({ method: 'GET', url: `/v1/ec/payment/invoice/${token}` });
    const text = await textOf(answer);
    expect(text).toContain('We take $110.00 from your saved payment method on 03.15.2026.');
    expect(text).not.toContain('4242');
  });
});

describe('a statement of a customer who lets auto-pay pay', () => {
  it('asks for nothing where all is taken, and else for the rest alone', async () => {
    const me = await payer({ brand: withFee });
    await me.bill();
    await me.bill({ dueOn: '2026-03-20' });
    const all = await statementPaper(me);
    for (const part of [NO_NEED, 'On 03.15.2026 $112.20', 'On 03.20.2026 $112.20', 'To be taken $224.40'])
      expect(all).toContain(part);
    expect(all).not.toContain('Scan to pay');
    const { id } = await me.bill();
    await rows('update invoice set status = 14 where id = $1', [id]);
    const part = await statementPaper(me);
    expect(part).not.toContain(NO_NEED);
    for (const said of ['Amount due $110.00', 'By Auto-Pay −$220.00', 'Scan to pay'])
      expect(part).toContain(said);
    expect(part).toContain('Auto-Pay takes $112.20 from Visa ending 4242 on 03.15.2026, $112.20 from Visa');
  });
});
