/** GoCardless' test data, and how its sandbox's pages are answered. */
import { createHmac } from 'node:crypto';
import type { CasesData, DebitedAccount, ReversalKind, TestAccount, TestMethod } from '../cases/data.ts';
import type { Action, OneTimeInput } from '../port/gateway.ts';
import type { GocardlessSettings } from './manifest.ts';

type Fields = Readonly<Record<string, string>>;

/** The vendor's test accounts, by the members of an account. https://developer.gocardless.com/developer-tools/test-bank-details */
const accounts: Readonly<Record<string, readonly [currency: string, fields: Fields]>> = {
  bacs: ['GBP', { branch_code: '200000', account_number: '55779911' }],
  becs: ['AUD', { branch_code: '082-082', account_number: '012345678' }],
  becs_nz: ['NZD', { bank_code: '12', branch_code: '3113', account_number: '0003869-00' }],
  sepa_core: ['EUR', { iban: ['DE89', '3704', '0044', '0532', '0130', '00'].join('') }],
  ach: ['USD', { bank_code: '026073150', account_number: '2715500356', account_type: 'checking' }],
  pad: ['CAD', { bank_code: '0003', branch_code: '00006', account_number: '1234567' }],
  autogiro: ['SEK', { branch_code: '5491', account_number: '0000003' }],
  betalingsservice: ['DKK', { bank_code: '345', account_number: '3179681' }],
};

/** Types an account into the sandbox's page and agrees. @throws {Error} where the page refuses */
export async function answerPage(to: string, fields: Fields): Promise<void> {
  const body = new URLSearchParams({ mandate: 'accepted', ...fields });
  const answer = await fetch(to, { method: 'POST', redirect: 'manual', body });
  if (answer.headers.get('location') === null) throw new Error(`the page answered ${answer.status}`);
}

/** @param name what the provider's sandbox does with the account hangs on the customer's first name */
function debited(
  scheme: string,
  name = 'Successful',
  over: Fields = {},
): TestMethod & { readonly kind: 'bank' } {
  const [currency, fields] = accounts[scheme] ?? ['', {}];
  return {
    kind: 'bank',
    scheme,
    currency,
    once: (): OneTimeInput => ({ fields: {} }),
    async play(action: Action) {
      if (action.do !== 'redirect') throw new Error('there is no page');
      await answerPage(action.to, Object.assign({ given_name: name }, fields, over));
      return { fields: {} };
    },
  };
}

const account = (scheme: string, ...returned: readonly (readonly [string, string])[]): DebitedAccount =>
  Object.assign(debited(scheme), {
    scheme,
    currency: accounts[scheme]?.[0] ?? '',
    isOnce: false,
    returned: returned.map(([name, code]) => Object.assign(debited(scheme, name), { code })),
  });

/** One event about a payment, as the vendor's documentation shows one. */
const delivery = (ref: string, at: Date): string =>
  JSON.stringify({
    events: [
      {
        id: `EV${ref}`,
        created_at: at.toISOString(),
        resource_type: 'payments',
        action: 'confirmed',
        links: { payment: `PM${ref}` },
        details: { origin: 'gocardless', cause: 'payment_confirmed', description: 'Payment collected' },
        metadata: {},
        resource_metadata: { attempt: ref },
      },
    ],
    meta: { webhook_id: 'WB0001' },
  });

const simulators: Readonly<Record<ReversalKind, string>> = {
  failed: 'payment_late_failure',
  resubmitted: 'own_payment_resubmitted',
  chargeback: 'payment_charged_back',
  chargebackWon: 'own_chargeback_cancelled',
};

/** Orders something of the sandbox. @throws {Error} where it is refused */
export async function order(
  { settings, addresses, fetch }: TestAccount,
  path: string,
  data: object,
): Promise<void> {
  const answer = await fetch(addresses['apiSandbox'] + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(settings as GocardlessSettings).accessToken}`,
      'gocardless-version': '2015-07-06',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ data }),
  });
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status} ${await answer.text()}`);
}

/** Runs one of the sandbox's simulators on a resource. */
export const simulate = (where: TestAccount, name: string, resource: string): Promise<void> =>
  order(where, `/scenario_simulators/${name}/actions/run`, { links: { resource } });

const funds = 'Your bank could not collect the payment. Please check your balance or use another method.';

export const casesData: CasesData = {
  good: debited('becs'),
  other: debited('becs', 'Successful', { account_number: '087654321' }),
  declines: [
    {
      name: 'funds',
      method: debited('becs', 'Penniless'),
      savable: true,
      why: { code: 'insufficient_funds', class: 'retryLater', text: funds },
    },
  ],
  decline: 'funds',
  accounts: [
    account('becs', ['Penniless', 'insufficient_funds']),
    account('bacs', ['Penniless', 'insufficient_funds']),
    account('sepa_core', ['Penniless', 'insufficient_funds']),
    ...['becs_nz', 'ach', 'pad', 'autogiro', 'betalingsservice'].map((scheme) => account(scheme)),
  ],
  isNotOffered: (detail) => /scheme|feature_disabled|not_available/.test(detail),
  hasNoDefault: true,
  spoil: (settings) => ({ ...settings, accessToken: 'NOBODY' }),
  sign: (settings, ref, at) =>
    (settings as GocardlessSettings).webhookSecrets.map((secret) => {
      const raw = Buffer.from(delivery(ref, at));
      const signature = createHmac('sha256', secret).update(raw).digest('hex');
      return { raw, headers: new Headers({ 'webhook-signature': signature }) };
    }),
  sandbox: {
    settings: {
      environment: 'sandbox',
      accessToken: 'sandbox_cases',
      webhookSecrets: ['first', 'second'],
      creditor: '',
    },
    webhookSecret: 'second',
    eventAbout: (raw) => {
      const { events } = JSON.parse(Buffer.from(raw).toString()) as {
        readonly events: readonly { readonly links: { readonly payment?: string } }[];
      };
      return events[0]?.links.payment ?? '';
    },
    reverse: (remote, how, where) => simulate(where, simulators[how], remote),
  },
  conformance: {
    judgedBy: 'plain requests as the documentation has them, and the vendor’s vector of a webhook',
    cases: [
      'no token, or a wrong one: 401',
      'no version: 400',
      'an unknown version: 400',
      'a body without its envelope: 400',
      'a billing request is pending, with actions',
      'a flow has a page for seven days',
      'the page completed: links, a signed webhook, the browser sent back',
      'the page left: nothing is saved',
      'a form of one’s own: actions in their order',
      'a wrong branch code is named',
      'a dollar account needs its type',
      'a payment is accepted, its amount a number',
      'the same key again: 409, the payment named',
      'a connection cut after the payment was made: one payment',
      'a mandate that is not there',
      'a mandate that was cancelled',
      'a charge date that is over',
      'metadata other than text',
      'cancelled before submission, not afterwards',
      'confirmed: events, and the invoice paid once',
      'failed: the invoice open, with words by the cause',
      'a late failure reopens the invoice',
      'names of customers decide',
      'a wrong signature, or other bytes: 498',
      'the same delivery twice, or reversed: one effect',
      '250 events in one delivery',
      'a failure or a redirect is delivered again',
      'refunds: the confirmed sum, the state, five at most',
      'a cancelled mandate is out of the list',
      'the rate limit: reads wait, orders do not repeat',
      'strings and pages as errors: unknown, made once',
      'lists in pages',
      'collected again by itself: in progress, then paid once',
      'failed, then collected once more: in progress again, the surplus credit',
      'a chargeback and its win: one entry each',
      'four digits in New Zealand, two elsewhere',
      'a crash before the answer: one payment',
    ],
    unproven: [
      'How long an Idempotency-Key is known, and its longest length: it is sent again for half an hour and no longer.',
      'Whether a key or the contents are looked at first: a refund whose sum no longer fits is looked for in the list.',
      'That a billing request names its customer when it is made: else a customer is new there at each mandate.',
      'What the provider adds to the address after its page; it is not looked at.',
      'How soon a list shows a payment: absence is never taken as proven.',
      'The state after `chargeback_cancelled`: the event counts.',
      'The page itself, and its demands on the Content-Security-Policy: the browser leaves for it.',
    ],
  },
  proves: {
    'keys-refused': [1],
  },
  notChecked: [
    'A mandate: it is given by a person, on the provider’s page.',
    'Everything that is done with a mandate: payments, refunds, removal, and what banks send back days later.',
    'Webhooks as the provider sends them, and that they come.',
    'How long a key is known, and how soon a list shows a payment.',
  ],
};
