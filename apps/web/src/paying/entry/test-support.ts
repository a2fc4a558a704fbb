import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';

/** How a card is taken: by the provider's fields; a test states only what matters to it. */
export const entryOf = (over: Partial<EntryConfig> = {}): EntryConfig => ({
  integrationType: 'Stripe',
  how: 'providerFields',
  public: { publishableKey: 'pk_test', scriptUrl: 'https://provider.example/script.js' },
  separateInputs: false,
  formFields: [],
  isPrepared: false,
  ...over,
});
