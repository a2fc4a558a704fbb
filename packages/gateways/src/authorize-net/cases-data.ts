/** Authorize.Net's test data (https://developer.authorize.net/hello_world/testing_guide.html). */
import { createHmac, randomUUID } from 'node:crypto';
import type { CasesData, SignedDelivery, TestAccount, TestMethod } from '../cases/data.ts';
import type { BillingOwner } from '../port/gateway.ts';

/** What Accept.js asks for in a browser. */
async function tokenise(
  { settings, addresses, fetch: ask }: TestAccount,
  data: object,
): Promise<{ token: string }> {
  const answer = await ask(addresses['api'] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      securePaymentContainerRequest: {
        merchantAuthentication: { name: settings['apiLoginId'], clientKey: settings['publicClientKey'] },
        data: { type: 'TOKEN', id: randomUUID(), ...data },
      },
    }),
  });
  const { opaqueData, messages } = (await answer.json()) as {
    readonly opaqueData?: { readonly dataValue: string };
    readonly messages: unknown;
  };
  if (opaqueData === undefined) throw new Error(`no token: ${JSON.stringify(messages)}`);
  return { token: opaqueData.dataValue };
}

/** An address of its own for each use: equal ones within two minutes are one question to the bank. */
const owner = (postalCode: string) => (): BillingOwner => ({
  firstName: 'Vera',
  lastName: 'Verification',
  email: 'verification@example.com',
  billing: {
    line1: `${randomUUID().slice(0, 8)} Test Street`,
    city: 'Bellevue',
    state: 'WA',
    postalCode,
    country: 'US',
  },
});

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const visa = ['4111', '1111', '1111', '1111'].join('');
const expirationDate = '1235';

const card = (postalCode: string): TestMethod => ({
  kind: 'card',
  once: (account) => tokenise(account, { token: { cardNumber: visa, expirationDate, cardCode: '900' } }),
  owner: owner(postalCode),
});

const account = (accountNumber: string, minor?: bigint) => ({
  kind: 'bank' as const,
  scheme: 'ach',
  currency: 'USD',
  ...(minor === undefined ? {} : { minor }),
  once: (at: TestAccount) =>
    tokenise(at, {
      bankToken: {
        accountNumber,
        routingNumber: '121042882',
        nameOnAccount: 'Vera Verification',
        accountType: 'checking',
      },
    }),
  owner: owner('98004'),
});

const declineText = 'Your card was declined';
const signatureKey = 'C0FFEE'.repeat(22).slice(0, 128);

/** Signed as the service does, so that it proves nothing of the service. */
function sign(settings: Readonly<Record<string, unknown>>, ref: string): SignedDelivery[] {
  const keys = Array.isArray(settings['signatureKeys']) ? settings['signatureKeys'].map(String) : [];
  const text = `{"notificationId":"${randomUUID()}","eventType":"net.authorize.payment.authcapture.created","payload":{"responseCode":1,"authAmount":45.00,"merchantReferenceId":"${ref}","entityName":"transaction","id":"60000000001"}}`;
  const raw = Buffer.from(text);
  return keys.map((key) => ({
    raw,
    headers: new Headers({
      'x-anet-signature': `sha512=${createHmac('sha512', key).update(raw).digest('hex').toUpperCase()}`,
    }),
  }));
}

export const casesData: CasesData = {
  good: card('98004'),
  declines: [
    {
      name: 'generic',
      method: card('46282'),
      why: { code: '2', class: 'otherMethod', text: declineText },
    },
  ],
  decline: 'generic',
  accounts: [
    {
      ...account('123456789012'),
      isOnce: true,
      hasNoMandate: true,
      returned: [{ ...account('900000000101'), code: 'R01' }],
    },
  ],
  spoil: (settings) => ({ ...settings, transactionKey: 'nobodysKey' }),
  change: () => ({
    expMonth: '11',
    expYear: `${new Date().getUTCFullYear() + 5}`,
    line1: `${randomUUID().slice(0, 8)} New Street`,
  }),
  sign,
  sandbox: {
    settings: {
      apiLoginId: 'cases',
      transactionKey: 'cases00000000000',
      publicClientKey: 'public-client-key-of-cases',
      signatureKeys: [signatureKey],
      signatureKeyEncoding: 'text',
      currency: 'USD',
      validation: 'liveMode',
    },
    webhookSecret: signatureKey,
    eventAbout: (raw) => (JSON.parse(Buffer.from(raw).toString()) as { payload: { id: string } }).payload.id,
  },
  conformance: {
    judgedBy: 'plain requests as the reference has them, and by the published schema’s order of keys',
    cases: [
      'a wrong key, and none',
      'good keys',
      'an unknown method, an unknown field, a wrong order',
      'lengths of the schema',
      'a request in XML',
      'the profile that is there already',
      'a card is read masked',
      'the same card again',
      'the same card of another customer',
      'a wrong check digit',
      'an account is read masked',
      'ten methods, and no eleventh',
      'the expiry is changed behind a masked number; what is left out is blanked',
      'one default or none',
      'a deleted method is gone',
      'a saved card is charged',
      'a profile excludes payment and billing data',
      'a method of another customer',
      'a declined zip',
      'code and address that do not match',
      'an expired card',
      'equal contents within the window',
      'a cut after processing: one payment',
      'a cut before processing: no second charge',
      'details before and after settlement',
      'lists: newest first, in pages, empty',
      'voided once',
      'refunded after settlement, in parts, not too much',
      'held for review, approved, declined',
      'accounts: accepted, declined, returned later',
      'an account in Test Mode',
      'no JSON, or no answer',
      'signatures of webhooks',
      'hostile text is sent without what breaks the request',
      'a nonce pays once, in time, its own merchant',
      'no number in what is kept',
      'approved in part: what was taken counts',
      'possibly charged: not sent again, and a person decides',
      'an end at the gateway that says nothing',
      'no right to read',
    ],
    unproven: [
      'A repeat after a decline: replayed, refused or tried again.',
      'How soon a transaction shows in the lists (half a minute here), and that a batch is whole an hour after its settlement.',
      'Partial approvals where allowPartialAuth is not sent.',
      'The code of a nonce that is used twice, and whether a duplicate uses it up.',
      'Which webhooks carry our reference; that the signature key is used as text (two published deliveries say so).',
      'Returned debits: that their details name the original, and that the note at the original has the same id.',
      'Chargebacks of cards: no call tells them; the merchant learns of them from the processor.',
      'Accept.js itself, and its demands on CSP and CORS.',
    ],
  },
  proves: {
    keys: [2],
    'keys-refused': [1],
    'pay-saved': [16],
    'decline-generic': [19],
    save: [7],
    edit: [13],
    default: [14],
    remove: [15],
    repeat: [22],
    'find-replay': [22],
    'find-scan': [26],
  },
  notChecked: [
    'Accept.js itself, and its demands on the Content-Security-Policy.',
    'Webhooks as they are sent: that they come, which carry a reference, and how their signature key is used.',
    'Refunds after settlement, returns of accounts, reviews, partial approvals.',
    'What a repeat after a decline comes to, and how soon lists show a transaction.',
  ],
};
