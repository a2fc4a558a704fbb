import { expect, type Locator, type Page } from '@playwright/test';
import type { Bill, Provider } from './provider.ts';

export interface Card {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
}

const card = (number: string): Card => ({ number, expiry: '12 / 31', cvc: '739' });

/** The sandbox's test cards, by what the bank does. */
export const cards = {
  good: card('4242424242424242'),
  mastercard: card('5555555555554444'),
  declined: card('4000000000000002'),
  insufficientFunds: card('4000000000009995'),
  authentication: card('4000002760003184'),
  /** A number of 15 digits has a code of four. */
  amex: { number: '378282246310005', expiry: '12 / 31', cvc: '7391' },
} as const satisfies Record<string, Card>;

/** Makes a page that was served without its payment, as when the gateway is slow: the browser then asks. */
export const withoutServedPayment = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen = new MutationObserver(() => document.getElementById('first-paint')?.remove());
    seen.observe(document, { childList: true, subtree: true });
  });

/** A page that changes may take the focus once more: what is typed at that moment goes nowhere, and is typed again. */
const typeInto = (input: Locator, text: string): Promise<void> =>
  expect(async () => {
    await input.fill(text);
    await expect(input).not.toHaveValue('', { timeout: 1_000 });
  }).toPass();

/** The pay page, as somebody with a link uses it. */
export class PayPage {
  readonly page: Page;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly cvc: Locator;
  readonly button: Locator;

  constructor(page: Page) {
    this.page = page;
    // One frame holds all three inputs, or each has its own.
    const input = (field: string, label: string) =>
      page
        .frameLocator(`[data-card-field="card"] iframe, [data-card-field="${field}"] iframe`)
        .getByRole('textbox', { name: label });
    this.number = input('number', 'Card number');
    this.expiry = input('expiry', 'Expiry date');
    this.cvc = input('cvc', 'Security code');
    this.button = page.getByRole('button', { name: /^Pay(ing…|\D{0,5}\d)/ });
  }

  async open(provider: Provider, bill: Bill): Promise<void> {
    await this.page.goto(`${provider.url}${bill.payPath}`);
    await expect(this.number).toBeVisible();
  }

  async enter({ number, expiry, cvc }: Card): Promise<void> {
    await typeInto(this.number, number);
    await typeInto(this.expiry, expiry);
    await typeInto(this.cvc, cvc);
  }

  async pay(card: Card): Promise<void> {
    await this.enter(card);
    await this.button.click();
  }

  /** The slip's upper part once the form is gone: how it ended, and what that means. */
  outcome = (title: string): Locator => this.page.getByRole('region', { name: title, exact: true });

  /** The figure beside a label, e.g. 'Card fee'. */
  sumOf = (label: string): Locator =>
    this.page.locator('dl > div', { has: this.page.getByText(label, { exact: true }) }).locator('dd');

  heading = (title: string): Locator =>
    this.page.getByRole('heading', { level: 1, name: title, exact: true });
}
