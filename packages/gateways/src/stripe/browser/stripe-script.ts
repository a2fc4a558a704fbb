import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { loadScript } from '../../kit/browser/script-loader.ts';
import type { EntryConfig } from '../../port/browser.ts';

declare global {
  interface Window {
    Stripe?: StripeConstructor;
  }
}

/** Stripe's script, begun with the account's publishable key. @param again starts over with one that did not come */
export async function openStripe(config: Pick<EntryConfig, 'public'>, again = false): Promise<Stripe> {
  const { scriptUrl, publishableKey } = config.public;
  const make = await loadScript(String(scriptUrl), () => window.Stripe, { again });
  return make(String(publishableKey), { locale: 'en' });
}
