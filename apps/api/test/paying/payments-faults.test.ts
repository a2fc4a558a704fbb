import { afterEach, expect, it } from 'vitest';
import { cards, chargeCases, isTakenBack, staysPaid } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { someOf } from '../simulation/seeded.ts';

/**
 * Every fault a gateway can show while a customer pays by a link, against the sandbox and through HTTP. Afterwards the
 * sandbox's journal says what was really taken, and the books must say the same.
 */
const sandbox = useSandboxFixture({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
const run = faultRun(sandbox);
const DUE = 11_000;
const TOTAL = 11_165;
const FEW = 28;

async function pay(body: object): Promise<string> {
  const answer = await sandbox.fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  expect(answer.statusCode, answer.body).toBe(200);
  const { status, attemptId, amount } = answer.json().data as Told;
  run.heard(attemptId, status, amount);
  return status;
}

interface Told {
  status: string;
  attemptId: string;
  amount: number;
}

/** What a page says that is opened afterwards. */
async function readPage(token: string): Promise<void> {
  const { attempt } = (await sandbox.fixture.app.inject(`/v1/ec/payment/details/${token}`)).json().data;
  if (attempt !== null) run.heard(attempt.id, attempt.status, attempt.amount);
}

afterEach(() => sandbox.control('DELETE', 'faults'));

it.each(someOf(chargeCases, FEW))('$name', async ({ name, faults, told: expected, card = 'good' }) => {
  const invoice = await sandbox.fixture.seedPayable(sandbox.customer);
  const token = await sandbox.cardToken(cards[card]);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: token,
  };
  for (const fault of faults) await sandbox.control('POST', 'faults', { gateway: 'stripe', ...fault });
  const first = await pay(body);
  if (expected !== undefined) expect(first).toBe(expected);
  // The impatient press again, and try another card.
  await pay({ ...body, cardToken: token }).catch(() => undefined);
  await run.untilEnded();
  await sandbox.control('DELETE', 'faults');
  await sandbox.advance(60_000);
  await sandbox.webhooksDelivered();
  await readPage(invoice.token);
  await run.judge();

  const [after] = await run.rows<{
    due: number;
    credit: number;
    net: number;
    captured: number;
    held: number;
  }>(
    `select i.due_minor::int as due, i.held_minor::int as held, coalesce(sum(c.to_credit_minor), 0)::int as credit,
            coalesce(sum(c.amount_minor - c.reversed_minor), 0)::int as net, coalesce(sum(c.amount_minor), 0)::int as captured
       from invoice i left join claim l on l.customer_id = i.customer_id and l.invoice_id = i.id
       left join capture c on c.customer_id = l.customer_id and c.attempt_id = l.attempt_id
      where i.id = $1 group by i.customer_id, i.id`,
    [invoice.id],
  );
  expect(after).toMatchObject({ credit: 0, held: 0 });
  if (isTakenBack.has(name)) expect(after?.due).toBe(DUE);
  if (staysPaid.has(name)) expect(after?.due).toBe(0);
  expect(after?.captured).toBeLessThanOrEqual(TOTAL);
  // Whatever happened, the customer can pay what is still due, and is then done.
  if (after !== undefined && after.due > 0) {
    expect(after.net).toBe(Math.max(0, DUE - after.due));
    const again = {
      ...body,
      invoiceAmount: (after.due / 100).toFixed(2),
      cardToken: await sandbox.cardToken(cards.good),
    };
    expect(await pay(again)).toBe('succeeded');
  }
  run.count('cases');
});

it('afterwards the journal and the books agree, and nobody was told failed about money that was taken [decisions.3.failed-only-certain, decisions.6.paid, decisions.2.call.webhooks]', async () => {
  // What had to wait for its gateway is followed up within a quarter of an hour.
  await sandbox.advance(15 * 60_000);
  await sandbox.webhooksDelivered();
  await run.judge();
  expect(await run.rows('select event_key from inbox where handled_at is null')).toEqual([]);
  process.stdout.write(`payment faults: ${JSON.stringify(run.counts)}\n`);
});
