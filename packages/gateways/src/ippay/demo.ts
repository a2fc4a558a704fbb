/** IPpay's part of the demo world: accounts in the sandbox, and methods as its hosted page makes them. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';
import type { Action } from '../port/gateway.ts';

/**
 * The provider's test numbers, in parts: no text of the project looks like a card. Not the usual one (4111…): a card belongs to the
 * customer who has saved it, and that one is left to who tries out the portal.
 */
const numbers: Readonly<Partial<Record<DemoSample, string>>> = {
  'card.visa': ['4000', '3000', '2000', '1000'].join(''),
  'card.mastercard': ['5454', '5454', '5454', '5454'].join(''),
  'card.amex': ['3714', '4963', '5398', '431'].join(''),
};

/** Keys of an account of that name in the sandbox. */
export const sandboxKeys = (name: string): Readonly<Record<string, string>> => ({
  environment: 'test',
  terminalId: `T${name}`,
  achTerminalId: `A${name}`,
  mid: `M-${name}`,
  customerId: `C-${name}`,
  securityKey: `key-${name}`,
  reportingMerchantId: `RPT-${name}`,
  reportingPassword: `rpt-${name}`,
});

/** What is typed on the hosted page. */
export type Typed = Readonly<Record<string, string>>;

/** Goes through the hosted page as a browser does. @returns what the page posts to the callback */
export async function answerPage(
  action: Action | undefined,
  typed: Typed,
  fetchWith: typeof globalThis.fetch = fetch,
): Promise<Readonly<Record<string, string>>> {
  if (action?.do !== 'form') throw new Error('there is no form for the hosted page');
  const post = async (url: string, fields: Readonly<Record<string, string>>): Promise<string> =>
    (await fetchWith(url, { method: 'POST', body: new URLSearchParams(fields) })).text();
  const hidden = (html: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, key, value]) => [
        key ?? '',
        value ?? '',
      ]),
    );
  const form = hidden(await post(action.url, action.fields));
  return hidden(await post(`${action.url}/tokenise`, { ...form, ...typed }));
}

export const demo: GatewayDemo = {
  settings: (name) => Object.entries(sandboxKeys(name)).map(([key, value]) => `${key}=${value}`),
  schemes: { 'card.visa': 'card', 'card.mastercard': 'card', 'card.amex': 'card', 'account.us': 'ach' },
  async tokenise(_account, sample, _owner, prepared) {
    const number = numbers[sample];
    const typed: Typed =
      number === undefined
        ? { routing: '111000025', account: '000123456789' }
        : { number, expiry: '09/31', code: '123' };
    return { posted: await answerPage(prepared, typed) };
  },
};
