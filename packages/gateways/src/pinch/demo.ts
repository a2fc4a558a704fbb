/** Pinch's part of the demo world: merchants in the sandbox, and cards as a page trades them for tokens. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const numbers: Readonly<Partial<Record<DemoSample, string>>> = {
  'card.au': ['4000', '0003', '6000', '0006'].join(''),
  'card.visa': ['4242', '4242', '4242', '4242'].join(''),
  'card.mastercard': ['5105', '1051', '0510', '5100'].join(''),
  'card.amex': ['3782', '8224', '6310', '005'].join(''),
};

export const demo: GatewayDemo = {
  settings: (name) => [
    `applicationId=app_${name}`,
    `secretKey=sk_test_${name}`,
    `publishableKey=pk_test_${name}`,
    `webhookSecrets=whsec_${name}`,
  ],
  webhookSecret: (name) => `whsec_${name}`,
  schemes: { 'card.au': 'card', 'card.visa': 'card', 'card.mastercard': 'card', 'card.amex': 'card' },
  async tokenise({ url, name }, sample, { holder }) {
    const number = numbers[sample] ?? '';
    const answer = await fetch(`${url}/pinch/api/test/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        publishableKey: `pk_test_${name}`,
        cardNumber: number,
        cvc: number.length === 15 ? '1234' : '123',
        expiryMonth: 9,
        expiryYear: new Date().getUTCFullYear() + 3,
        cardHolderName: holder,
      }),
    });
    const { token } = (await answer.json()) as { readonly token?: string };
    if (token === undefined) throw new Error('the sandbox made no token of a card');
    return token;
  },
};
