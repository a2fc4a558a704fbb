import { expect, type Locator, type Page } from '@playwright/test';
import { type Card, PayPage } from './pay-page.ts';
import { PaymentMethodsPage } from './payment-methods-page.ts';
import type { Bill, Provider } from './provider.ts';
import type { SandboxCharge } from './sandbox.ts';
import type { Stack } from './test.ts';

/** Selection on the invoices grid, and the page of several invoices paid at once. */
export class BulkPayPage {
  readonly page: Page;
  /** Whichever of the two is drawn at this width. */
  readonly button: Locator;
  readonly bar: Locator;
  readonly methods: Locator;

  constructor(page: Page) {
    this.page = page;
    this.button = page.getByRole('button', {
      name: /^(Pay|Paying…|Continue|Confirm and Pay|Settle with credit)$/,
    });
    this.bar = page.getByRole('status').filter({ hasText: 'selected' });
    this.methods = page.getByRole('radiogroup', { name: 'Select Payment Method' });
  }

  async openInvoices({ url }: Provider): Promise<void> {
    await this.page.goto(`${url}/invoices`);
    await expect(
      this.page.getByRole('table', { name: 'Invoices' }).getByRole('checkbox').first(),
    ).toBeVisible();
  }

  box = ({ number }: Pick<Bill, 'number'>): Locator =>
    this.page.getByRole('checkbox', { name: `Select ${number}`, exact: true });

  row = ({ number }: Pick<Bill, 'number'>): Locator => this.page.getByRole('row').filter({ hasText: number });

  /** Pay of the selection bar. */
  paySelected = (): Locator => this.page.getByRole('button', { name: 'Pay', exact: true }).first();

  /** Chooses invoices in the grid and goes to their page. */
  async begin(provider: Provider, bills: readonly Bill[]): Promise<void> {
    await this.openInvoices(provider);
    for (const bill of bills) await this.box(bill).check();
    await this.paySelected().click();
    await expect(this.page.getByRole('heading', { level: 1, name: /^Pay / })).toBeVisible();
    await expect(this.page).toHaveURL(/\/bulk-pay\?id=/);
  }

  method = (name: string): Locator => this.page.getByRole('radio', { name, exact: true });

  /** Types a new card into the form. */
  async enterCard(card: Card): Promise<void> {
    await new PayPage(this.page).enter(card);
    await this.page.getByLabel('Card Holder Name').fill('Eve Endtoend');
  }

  heading = (title: string): Locator =>
    this.page.getByRole('heading', { level: 1, name: title, exact: true });

  /** The figure beside a label of the summary or of a slip. */
  sumOf = (label: string): Locator =>
    this.page
      .locator('dl > div', { has: this.page.getByText(label, { exact: true }) })
      .locator('dd')
      .first();
}

/** A saved card of the provider's customer. */
export async function saveCard(page: Page, provider: Provider, card: Card, title: string): Promise<void> {
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.addCard(card, title);
}

/** A saved Australian account. @returns how it is called */
export async function saveAccount(page: Page, provider: Provider): Promise<string> {
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.accounts('Direct Debit').getByRole('button', { name: 'Add Bank Account' }).click();
  const field = (label: string) => methods.dialog.getByLabel(label, { exact: true });
  await field('Account holder name').fill('Ada Nakamura');
  await field('Email').fill('ada@mail.example');
  await field('BSB').fill('000-000');
  await field('Account number').fill('000123456');
  await methods.dialog.getByRole('checkbox').check();
  await methods.button('Add Bank Account').click();
  const name = 'BSB 000-000, account ending 3456';
  await expect(methods.told(`${name} was added`)).toBeVisible();
  return name;
}

/** What was really charged for any of these invoices. */
export async function chargesOf(stack: Stack, bills: readonly Bill[]): Promise<SandboxCharge[]> {
  const response = await fetch(`${stack.sandboxUrl}/_sandbox/charges`);
  const { charges } = (await response.json()) as { charges: SandboxCharge[] };
  return charges.filter(({ metadata }) =>
    bills.some(({ number }) => (metadata.invoices ?? '').split(',').includes(number)),
  );
}

/** Presses Tab until something has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not get there');
}
