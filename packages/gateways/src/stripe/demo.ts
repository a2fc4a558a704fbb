/** Stripe's part of the demo world: accounts in the sandbox, and methods made there as its script makes them. */
import type { DemoAccount, DemoOwner, DemoSample, GatewayDemo } from '../port/demo.ts';

interface Sample {
  readonly scheme: string;
  /** What the provider's form sends; the cards are its test tokens. */
  readonly entered: Readonly<Record<string, string>>;
}

const card = (token: string): Sample => ({ scheme: 'card', entered: { 'card[token]': token } });
const bank = (scheme: string, fields: Readonly<Record<string, string>>): Sample => ({
  scheme,
  entered: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${scheme}[${name}]`, value])),
});
const company = (number: string): Sample =>
  bank('us_bank_account', {
    routing_number: '110000000',
    account_number: number,
    account_holder_type: 'company',
    account_type: 'checking',
  });

const samples: Readonly<Record<DemoSample, Sample>> = {
  'card.au': card('tok_au'),
  'card.visa': card('tok_visa_debit'),
  'card.mastercard': card('tok_mastercard_2series'),
  'card.mastercardDebit': card('tok_mastercard_debit'),
  'card.amex': card('tok_amex_second'),
  'account.au': bank('au_becs_debit', { bsb_number: '062000', account_number: '104478212' }),
  'account.eu': bank('sepa_debit', { iban: 'DE02200505501015871393' }),
  'account.gb': bank('bacs_debit', { sort_code: '108800', account_number: '55779911' }),
  'account.us': company('000882714420'),
  'account.usOther': company('000440917735'),
};

/** @returns the id of what was made or changed */
async function post(
  { url, name }: DemoAccount,
  key: 'pk' | 'sk',
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}_test_${name}` },
    body: new URLSearchParams(fields),
  });
  const made = (await answer.json()) as { readonly id?: string };
  if (!answer.ok || made.id === undefined)
    throw new Error(`the sandbox refused ${path}: ${JSON.stringify(made)}`);
  return made.id;
}

const billingOf = ({ holder, email, street, city, postalCode, country }: DemoOwner) => ({
  'billing_details[name]': holder,
  'billing_details[email]': email,
  'billing_details[address][line1]': street,
  'billing_details[address][city]': city,
  'billing_details[address][postal_code]': postalCode,
  'billing_details[address][country]': country,
});

export const demo: GatewayDemo = {
  settings: (name) => [
    `secretKey=sk_test_${name}`,
    `publishableKey=pk_test_${name}`,
    `webhookSecrets=whsec_${name}`,
  ],
  separateInputs: ['separateInputs=true'],
  webhookSecret: (name) => `whsec_${name}`,
  schemes: Object.fromEntries(Object.entries(samples).map(([sample, { scheme }]) => [sample, scheme])),
  tokenise(account, sample, owner) {
    const { scheme, entered } = samples[sample];
    return post(account, 'pk', '/v1/payment_methods', { type: scheme, ...billingOf(owner), ...entered });
  },
  depositCode: 'SM11AA',
  async expire(account, token, { year, month }) {
    const last = { 'card[exp_month]': `${month}`, 'card[exp_year]': `${year}` };
    await post(account, 'sk', `/v1/payment_methods/${token}`, last);
  },
};
