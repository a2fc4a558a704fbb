/** GoCardless' part of the demo world: accounts in the sandbox, and mandates given on its page. */
import type { DemoSample, GatewayDemo } from '../port/demo.ts';

/** The vendor's test accounts, by scheme and what its page asks for. */
const samples: Readonly<
  Partial<Record<DemoSample, readonly [scheme: string, fields: Readonly<Record<string, string>>]>>
> = {
  'account.au': ['becs', { branch_code: '082082', account_number: '012345678' }],
  'account.gb': ['bacs', { branch_code: '200000', account_number: '55779911' }],
  'account.eu': ['sepa_core', { iban: ['DE89', '3704', '0044', '0532', '0130', '00'].join('') }],
  'account.us': ['ach', { bank_code: '026073150', account_number: '2715500356', account_type: 'checking' }],
};

export const demo: GatewayDemo = {
  settings: (name) => ['environment=sandbox', `accessToken=sandbox_${name}`, `webhookSecrets=${name}`],
  webhookSecret: (name) => name,
  schemes: Object.fromEntries(Object.entries(samples).map(([sample, [scheme]]) => [sample, scheme])),
  async answerPage(page, sample, { holder }) {
    const [, fields] = samples[sample] ?? [];
    const body = new URLSearchParams({ mandate: 'accepted', account_holder_name: holder, ...fields });
    const answer = await fetch(page, { method: 'POST', redirect: 'manual', body });
    if (answer.headers.get('location') === null)
      throw new Error(`the sandbox refused an account: ${answer.status}`);
  },
};
