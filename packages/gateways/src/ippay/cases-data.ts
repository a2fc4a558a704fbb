/** IPpay's test data: on its test gateway the last two digits of an amount are what an issuer answers. */
import { CaseNotAvailable } from '../cases/case-end.ts';
import type { CasesData, DeclinedMethod, TestMethod } from '../cases/data.ts';
import type { Decline } from '../port/gateway.ts';
import { answerPage, sandboxKeys, type Typed } from './demo.ts';

let made = 0;
/** Another each time: one card is one token, which belongs to who has saved it. @param end its last digits */
function newNumber(length: number, begin: string, end = ''): string {
  made += 1;
  return `${begin}${String(made).padStart(length - begin.length - end.length, '0')}${end}`;
}
/** A number of a Visa card, with its check digit. */
function newCard(): string {
  const start = newNumber(15, '4111');
  const sum = [...start].reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${start}${(10 - (sum % 10)) % 10}`;
}

/** Typed on the hosted page, which posts it to the entry's callback. */
const entered = (kind: TestMethod['kind'], type: () => Typed, minor?: bigint): TestMethod => ({
  kind,
  ...(kind === 'bank' && { scheme: 'ach', currency: 'USD' }),
  ...(minor !== undefined && { minor }),
  owner: () => ({ name: 'Ada Example', email: 'ada@example.com' }),
  async once({ fetch }, prepared) {
    const posted = await answerPage(prepared, type(), fetch);
    if (posted['ReferenceID'] === undefined)
      throw new CaseNotAvailable('a payer has to fill in the hosted page');
    return { posted };
  },
});
const card = (minor: bigint): TestMethod =>
  entered('card', () => ({ number: newCard(), expiry: '09/31', code: '123' }), minor);
const account = (end?: string): TestMethod =>
  entered('bank', () => ({ routing: '111000025', account: newNumber(9, '1', end) }), 4_250n);

const text = 'Your card was declined';
const expired = 'Your credit card has expired. Please add a new one and try again';
const call = 'Your bank declined this payment. Please contact your bank or use another method.';
const rows: readonly (readonly [string, bigint, string, Decline['class'], string])[] = [
  ['generic', 1_005n, '005', 'otherMethod', text],
  ['funds', 1_051n, '051', 'retryLater', 'Your card was declined: insufficient funds or limit reached.'],
  ['expired', 1_054n, '054', 'fixInput', expired],
  ['call', 1_001n, '001', 'otherMethod', call],
  ['stolen', 1_043n, '043', 'otherMethod', text],
  ['number', 1_014n, '014', 'fixInput', 'Please check the card number.'],
  ['not-permitted', 1_057n, '057', 'otherMethod', 'This card cannot be used here.'],
];
const declines: readonly DeclinedMethod[] = rows.map(([name, minor, code, kind, words]) => ({
  name,
  method: card(minor),
  // The page makes a token of any card; the issuer is asked when it pays.
  savable: true,
  why: { code, class: kind, text: words },
}));

export const casesData: CasesData = {
  good: card(4_250n),
  declines,
  decline: 'funds',
  accounts: [
    {
      ...account(),
      kind: 'bank',
      scheme: 'ach',
      currency: 'USD',
      isOnce: true,
      hasNoMandate: true,
      returned: [
        { ...account('9901'), code: 'R01' },
        { ...account('9904'), code: 'R04' },
      ],
    },
  ],
  hasNoParts: true,
  spoil: (settings) => ({ ...settings, terminalId: '0nobody' }),
  change: () => ({ expMonth: '11', expYear: `${new Date().getUTCFullYear() + 5}` }),
  sandbox: { settings: sandboxKeys('cases') },
  conformance: {
    judgedBy: 'plain requests as the documentation has them (there is no maintained client)',
    cases: [
      'a ping is answered',
      'an unknown terminal is a mistake of the settings',
      'a card becomes a token of its own length and ends',
      'a wrong check digit is refused',
      'the same card is the same token, and one method',
      'an account becomes a token with its last four',
      'a token gets another expiry',
      'a sale by token under our id',
      'without an id the gateway makes one',
      '1005: declined',
      '1051: insufficient funds',
      '1054: expired',
      '1008: approved',
      'a card past its month is expired',
      'an id that was used is refused',
      'a lost answer: pending until a second look-up',
      'a lost request: sent once more after two look-ups',
      'look-ups that fail send nothing',
      'a check is accepted, which is no money',
      'a routing number of eight digits is refused',
      'a void, and no second one',
      'a credit, and none above what was taken',
      'a check cannot be voided',
      'what is no message',
      'an HTML page is no decline',
      'a form with a wrong hash is not called back',
      'a token, its callback and the saved method',
      'a callback that is repeated changes nothing',
      'an altered amount is left aside: the price of our page is charged',
      'messages of others are left aside',
      'a decline after the page has made a token',
      'AFS-103 is handed on like 000',
      'logs show no number',
      'a return of a bank is told once',
      'a lost callback: nothing, and forms ask for tokens alone',
      'an account is charged and looked for on its own terminal',
      'a void by the gateway itself, before and after it counted',
      'another customer’s token, and a token without a callback, pay nothing',
      '400 is no success',
    ],
    elsewhere: {
      30: {
        file: 'packages/gateways/src/kit/browser/frame-messages.test.ts',
        title: 'count from its own window and a declared origin only',
      },
    },
    unproven: [
      'Every field, hash and message of the hosted page, its address for live terminals, and its demands on CSP and framing.',
      'What an AFS code means.',
      '025 and 094 as answers to an enquiry and to an id that was used; what an enquiry says of a void.',
      'Whether the same card is the same token again.',
      'The code for each test amount.',
      'The time zone of Reporting, and amounts in its lists of returns and chargebacks.',
    ],
  },
  proves: {
    keys: [1],
    'keys-refused': [2],
    'pay-once': [8],
    'decline-generic': [10],
    'decline-funds': [11],
    'decline-expired': [12],
    repeat: [15],
    save: [3],
    edit: [7],
    'debit-ach': [19],
    'refund-whole': [21],
    'refund-parts': [22],
  },
  notChecked: [
    'The hosted page: its fields, hashes and messages, and its demands on the Content-Security-Policy.',
    'What an enquiry answers about an id that was never sent, about a void, and how soon it knows of a payment.',
    'Returns of bank debits and chargebacks: they come days later.',
  ],
};
