/** Authorize.Net's part of the demo world: accounts in the sandbox, and nonces as Accept.js makes them. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const card = (expires: string, ...parts: readonly string[]) => ({
  token: { cardNumber: parts.join(''), expirationDate: expires, cardCode: '900' },
});
const checking = (accountNumber: string) => (nameOnAccount: string) => ({
  bankToken: {
    accountNumber,
    routingNumber: '121042882',
    nameOnAccount: nameOnAccount.slice(0, 22),
    accountType: 'checking',
  },
});

const cards: Readonly<Partial<Record<DemoSample, object>>> = {
  'card.visa': card('0833', '4007', '0000', '0002', '7'),
  'card.mastercard': card('0534', '5424', '0000', '0000', '0015'),
  'card.amex': card('1132', '3700', '0000', '0000', '002'),
};
const accounts: Readonly<Partial<Record<DemoSample, (holder: string) => object>>> = {
  'account.us': checking('000882714420'),
  'account.usOther': checking('000440917735'),
};

/** What the sandbox signs with: a text that looks like a key. */
const signatureKey = (name: string): string =>
  Buffer.from(`signature key of ${name}`).toString('hex').toUpperCase().padEnd(128, '0').slice(0, 128);

export const demo: GatewayDemo = {
  settings: (name) => [
    `apiLoginId=${name}`,
    `transactionKey=${name.padEnd(16, '0').slice(0, 16)}`,
    `publicClientKey=public-client-key-of-${name}`,
    `signatureKeys=${signatureKey(name)}`,
    // The demo world's brand counts in it.
    'currency=USD',
  ],
  webhookSecret: signatureKey,
  schemes: {
    ...Object.fromEntries(Object.keys(cards).map((sample) => [sample, 'card'])),
    ...Object.fromEntries(Object.keys(accounts).map((sample) => [sample, 'ach'])),
  },
  async tokenise({ url, name }, sample, { holder }) {
    const answer = await fetch(`${url}/authorize-net/xml/v1/request.api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        securePaymentContainerRequest: {
          merchantAuthentication: { name, clientKey: `public-client-key-of-${name}` },
          data: { type: 'TOKEN', id: 'demo', ...(cards[sample] ?? accounts[sample]?.(holder)) },
        },
      }),
    });
    const { opaqueData } = (await answer.json()) as { readonly opaqueData?: { readonly dataValue: string } };
    if (opaqueData === undefined) throw new Error('the sandbox made no nonce');
    return opaqueData.dataValue;
  },
};
