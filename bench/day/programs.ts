import { startReceiver } from '../bulk/receiver.ts';
import { type Caller, dataOf } from './caller.ts';
import type { DayServer } from './server.ts';
import { signedIn, type Visit } from './visitors.ts';

/** Visits of a provider's programs, and of people who pay what these bill. */
export interface Books {
  readonly bill: Visit;
  readonly payLinks: Visit;
  readonly payAsUser: Visit;
  readonly readConsole: Visit;
  payments(): number;
  close(): void;
}

/** Invoices of a visit: most to new customers, the last to the customer of {@link PAYER}. */
const INVOICES = 5;
/** A user of the demo world whose customer has nothing. */
const PAYER = 'empty@demo.example';
const CONSOLE = [
  'customers',
  'invoices',
  'payments',
  'today',
  'money',
  'mails',
  'webhook-events',
  'audit-events',
];
const amounts = { subtotal: '80.00', tax: '12.00', total: '92.00', payable: '92.00' };

/** What a payer types. */
const CARD = {
  cardToken: 'tok_visa',
  cardHolder: 'Ana Poe',
  email: 'ana@mail.example',
  billingAddress: { address: '1 High St', city: 'Leeds', state: 'WY', zip: 'LS1', country: 'GB' },
};

interface Link {
  readonly token: string;
  readonly number: string;
}

export async function openBooks({ demo, key, url }: DayServer, caller: Caller): Promise<Books> {
  const receiver = await startReceiver();
  await receiver.register(url, key, 1);
  const payerId = demo.users.find(({ email }) => email === PAYER)?.customerIds[0];
  if (payerId === undefined) throw new Error(`the demo world has no ${PAYER}`);
  const links: Link[] = [];
  const ownInvoices: string[] = [];
  let serial = 0;
  let payments = 0;
  const admin = (path: string) => `/v1/admin/${path}`;
  const sendLines = async (path: string, lines: readonly object[]): Promise<readonly { id: string }[]> => {
    const answer = await caller.send({
      path: admin(`${path}/bulk`),
      token: key,
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
      type: 'application/x-ndjson',
    });
    const made = answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string; id: string });
    if (made.some(({ status }) => status !== 'created')) throw new Error(`${path}: ${answer}`);
    return made;
  };
  const isPaid = (status: string) => {
    if (status !== 'succeeded') throw new Error(`a payment is ${status}`);
    payments += 1;
  };
  return {
    async bill() {
      const names = Array.from({ length: INVOICES }, (_, n) => `DAY-${serial + n + 1}`);
      serial += INVOICES;
      await sendLines(
        'customers',
        names.slice(1).map((reference) => ({
          reference,
          label: `Customer ${reference}`,
          email: `${reference.toLowerCase()}@day.example`,
          country: 'NZ',
          address: { lines: ['1 Quay Street'], city: 'Auckland', postalCode: '1010' },
        })),
      );
      const made = await sendLines(
        'invoices',
        names.map((reference, n) => ({
          reference,
          customer: n === 0 ? payerId : reference,
          issuedOn: '2026-10-01',
          dueOn: '2026-10-15',
          currency: 'USD',
          lines: [{ name: 'Voice', price: '80.00', amount: '80.00', taxCategory: 'S', taxPercent: '15' }],
          taxes: [{ category: 'S', percent: '15', taxable: '80.00', amount: '12.00' }],
          ...amounts,
        })),
      );
      ownInvoices.push(made[0]?.id ?? '');
      const found = dataOf<readonly { invoice: string; url: string }[]>(
        await caller.send({ path: admin(`pay-links?limit=${INVOICES}`), token: key }),
      );
      for (const { invoice, url: link } of found)
        if (invoice !== names[0])
          links.push({ token: link.slice(link.lastIndexOf('/') + 1), number: invoice });
    },
    async payLinks() {
      for (const { token, number } of links.splice(0)) {
        await caller.send({ path: `/pay/${token}` });
        await caller.send({ path: `/v1/ec/payment/details/${token}` });
        const body = { uid: token, invoiceNumber: number, invoiceAmount: '92.00', ...CARD };
        isPaid(dataOf<{ status: string }>(await caller.send({ path: '/v1/ec/pay', body })).status);
      }
    },
    async payAsUser() {
      const invoiceIds = ownInvoices.splice(0);
      if (invoiceIds.length === 0) return;
      await signedIn(caller, PAYER, async (ask) => {
        await ask('payments/details');
        const { sessionId: uid } = dataOf<{ sessionId: string }>(
          await ask('payments/intents', { invoiceIds }),
        );
        const body = { uid, ...CARD };
        isPaid(dataOf<{ status: string }>(await ask('payments/pay/bulk', body)).status);
      });
    },
    async readConsole() {
      for (const list of CONSOLE) await caller.send({ path: admin(list), token: key });
      await caller.send({ path: admin(`search?q=DAY-${serial}`), token: key });
    },
    payments: () => payments,
    close: () => receiver.stop(),
  };
}
