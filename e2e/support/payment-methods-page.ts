import { expect, type Locator, type Page } from '@playwright/test';
import type { Card } from './pay-page.ts';
import type { Provider } from './provider.ts';

/** The page of saved methods, as a signed-in person uses it. */
export class PaymentMethodsPage {
  readonly page: Page;
  readonly cards: Locator;
  readonly dialog: Locator;
  /** What was done, or why not; closable. */
  readonly notice: Locator;

  constructor(page: Page) {
    this.page = page;
    this.cards = page.getByRole('region', { name: 'Cards', exact: true });
    this.dialog = page.getByRole('dialog');
    this.notice = page.locator('main').getByRole('status').or(page.locator('main').getByRole('alert'));
  }

  async open({ url }: Provider): Promise<void> {
    await this.page.goto(`${url}/payment-types`);
    await expect(this.page.getByRole('heading', { level: 1, name: 'Payment Methods' })).toBeVisible();
  }

  /** The list of bank accounts, by its title. */
  accounts = (title: string): Locator => this.page.getByRole('region', { name: title, exact: true });

  row = (title: string): Locator => this.page.getByRole('listitem').filter({ hasText: title });

  act = (title: string, word: string): Locator =>
    this.row(title).getByRole('button', { name: new RegExp(`^${word} `) });

  button = (name: string): Locator => this.dialog.getByRole('button', { name, exact: true });

  told = (text: string | RegExp): Locator => this.page.locator('main').getByText(text);

  /** Types into the provider's fields of the open modal. */
  async enter({ number, expiry, cvc }: Card): Promise<void> {
    const input = (field: string, label: string) =>
      this.dialog
        .frameLocator(`[data-card-field="card"] iframe, [data-card-field="${field}"] iframe`)
        .getByRole('textbox', { name: label });
    await input('number', 'Card number').fill(number);
    await input('expiry', 'Expiry date').fill(expiry);
    await input('cvc', 'Security code').fill(cvc);
  }

  async fillCard(card: Card, country = 'AU'): Promise<void> {
    await this.cards.getByRole('button', { name: 'Add Card' }).click();
    await this.enter(card);
    await this.dialog.getByLabel('Card Holder Name').fill('Eve Endtoend');
    await this.dialog.getByLabel('Country').selectOption(country);
  }

  /** Adds a card and waits until it is there. @param title e.g. 'Visa ending 4242' */
  async addCard(card: Card, title: string): Promise<void> {
    await this.fillCard(card);
    await this.button('Add Card').click();
    await expect(this.told(`${title} was added`)).toBeVisible();
    await expect(this.row(title)).toBeVisible();
  }
}
