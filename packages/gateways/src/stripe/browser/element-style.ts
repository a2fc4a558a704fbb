import type { StripeElementStyle } from '@stripe/stripe-js';

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
