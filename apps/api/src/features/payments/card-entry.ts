import type { CardEntry } from '@counterfoil/contract/public-pay.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';

/** What a page needs to draw the provider's own card fields; split ones are a setting of the reseller. */
export function cardEntryOf(account: GatewayAccount, brand: Brand): CardEntry {
  const text = (name: string) => String(account.publicConfig[name] ?? '');
  return {
    integrationType: account.module.manifest.integrationType,
    publishableKey: text('publishableKey'),
    scriptUrl: text('scriptUrl'),
    separateInputs: brand.reseller.separateCardInputs,
  };
}
