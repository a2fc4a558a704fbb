import type { Stripe, StripeConstructor, StripeElementStyle } from '@stripe/stripe-js';
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

/** The look of the page for inputs in the provider's frame, which sees none of our style sheets. */
export function elementStyle(box: Element): StripeElementStyle {
  const computed = getComputedStyle(box);
  const role = (name: string): string => computed.getPropertyValue(name).trim();
  return {
    base: {
      // Not the computed colour: while the theme changes that is the one the change begins with.
      color: role('--ink') || computed.color,
      fontFamily: computed.fontFamily,
      fontSize: computed.fontSize,
      lineHeight: computed.lineHeight,
      iconColor: role('--ink-muted'),
      '::placeholder': { color: role('--ink-muted') },
      ':disabled': { color: role('--ink-muted') },
    },
    invalid: { color: role('--danger'), iconColor: role('--danger') },
  };
}

/**
 * Calls `changed` when light and dark change, by the system or by the page.
 * @returns the way to stop
 */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const page = new MutationObserver(changed);
  system.addEventListener('change', changed);
  page.observe(document.documentElement, { attributeFilter: ['data-theme', 'class', 'style'] });
  return () => {
    system.removeEventListener('change', changed);
    page.disconnect();
  };
}
