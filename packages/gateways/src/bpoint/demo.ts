/** BPOINT's part of the demo world: facilities in the sandbox, and methods attached as its script attaches them. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const numbers: Readonly<Partial<Record<DemoSample, string>>> = {
  'card.au': ['4987', '6543', '2109', '8769'].join(''),
  'card.visa': ['4987', '6543', '2109', '8769'].join(''),
  'card.mastercard': ['5123', '4567', '8901', '2346'].join(''),
  'card.amex': ['3456', '7890', '1234', '564'].join(''),
};

export const demo: GatewayDemo = {
  settings: (name) => ['username=api', `merchantNumber=${name}`, `password=sandbox-${name}`, 'testMode=true'],
  schemes: {
    'card.au': 'card',
    'card.visa': 'card',
    'card.mastercard': 'card',
    'card.amex': 'card',
    'account.au': 'bank',
  },
  async tokenise({ url }, sample, { holder }, prepared) {
    const { authkey = '' } = prepared?.do === 'browser' ? prepared.config : {};
    const number = numbers[sample];
    const method =
      number === undefined
        ? { bank: { bsb: '062000', account: '12345678', name: holder } }
        : { card: { number, expiry: { month: '09', year: '31' }, cvn: '123', name: holder } };
    const answer = await fetch(new URL(`/bpoint/rest/v5/tokens/authkeys/${authkey}/payment-method`, url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(method),
    });
    if (!answer.ok) throw new Error(`the sandbox attached no method: ${answer.status}`);
    return authkey;
  },
};
