import type { StripeConstructor } from '@stripe/stripe-js';

declare global {
  interface Window {
    Stripe?: StripeConstructor;
  }
}

const underWay = new Map<string, Promise<StripeConstructor>>();

/**
 * Loads the provider's script once per page. Its maker allows no copy of it: it always comes from `url`.
 * After a failure, or with `again`, the next call starts over with a new script element.
 */
export function loadScript(url: string, again = false): Promise<StripeConstructor> {
  if (window.Stripe !== undefined) return Promise.resolve(window.Stripe);
  const waiting = again ? undefined : underWay.get(url);
  if (waiting !== undefined) return waiting;
  const loading = new Promise<StripeConstructor>((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (): void => {
      script.remove();
      if (underWay.get(url) === loading) underWay.delete(url);
      reject(new Error('the script of the payment provider did not load'));
    };
    script.src = url;
    script.async = true;
    script.onerror = fail;
    script.onload = () => (window.Stripe === undefined ? fail() : resolve(window.Stripe));
    document.head.append(script);
  });
  underWay.set(url, loading);
  return loading;
}
