import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { type GatewayForms, gatewayForms } from '../support/gateway-forms.ts';
import { PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import type { Provider } from '../support/provider.ts';
import { expect, signedIn, test } from '../support/test.ts';

/**
 * Every gateway whose forms the sandbox's other tests do not drive: a method pays by link, is saved, changed, made the default,
 * pays several invoices and is removed, as people do it; and the sandbox's journal has each payment once.
 */

/** What stands beside card or account, where it is asked for. */
async function fillOwner(page: Page, place = page.getByRole('main')): Promise<void> {
  for (const [label, text] of [
    ['Card Holder Name', 'Eve Endtoend'],
    ['Email Receipt', 'eve@mail.example'],
  ] as const) {
    const field = place.getByRole('textbox', { name: label });
    if (await field.isVisible()) await field.fill(text);
  }
}

async function payByLink(page: Page, { gateway, card, bank }: GatewayForms, provider: Provider) {
  const pay = new PayPage(page);
  const main = page.getByRole('main');
  if (card !== undefined) {
    await page.goto(provider.url + (await provider.bill('42.00')).payPath);
    await card.enter(main);
    await fillOwner(page);
    await expectAccessible(page, `${gateway}-pay-card`);
    await pay.button.click();
    await expect(pay.outcome('Payment Successful')).toBeVisible();
  }
  if (bank === undefined) return;
  await page.goto(provider.url + (await provider.bill('31.00')).payPath);
  if (bank.onOwnPage) return expect(pay.heading('Sign in to pay this invoice')).toBeVisible();
  await page.getByRole('radio', { name: 'Bank account', exact: true }).check();
  await bank.enter(main);
  await main.getByRole('checkbox').check();
  await expectAccessible(page, `${gateway}-pay-bank`);
  await pay.button.click();
  await expect(pay.outcome('Payment submitted')).toContainText(`within ${bank.within}.`);
}

async function save(page: Page, { gateway, card, bank }: GatewayForms, provider: Provider) {
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  if (card !== undefined) {
    await methods.cards.getByRole('button', { name: 'Add Card' }).click();
    await card.enter(methods.dialog);
    await fillOwner(page, methods.dialog);
    await expectAccessible(page, `${gateway}-add-card`, { within: 'dialog' });
    await methods.button('Add Card').click();
    await expect(methods.told(`${card.title} was added`)).toBeVisible();
    await expect(methods.row(card.title)).toContainText('Expires 12 / 2031 · Eve Endtoend');
  }
  if (bank === undefined) return;
  await methods.accounts(bank.list).getByRole('button', { name: 'Add Bank Account' }).click();
  if (bank.onOwnPage) {
    await expectAccessible(page, `${gateway}-add-bank`, { within: 'dialog' });
    await methods.button('Continue').click();
    const itsPage = page.getByRole('form');
    await bank.enter(itsPage);
    await itsPage.getByRole('checkbox').check();
    await itsPage.getByRole('button', { name: 'Confirm' }).click();
  } else {
    await bank.enter(methods.dialog);
    await methods.dialog.getByRole('checkbox').check();
    await expectAccessible(page, `${gateway}-add-bank`, { within: 'dialog' });
    await methods.button('Add Bank Account').click();
  }
  await expect(methods.told(`${bank.title} was added`)).toBeVisible();
}

async function change(page: Page, { gateway, card, bank }: GatewayForms) {
  const methods = new PaymentMethodsPage(page);
  for (const form of [card, bank]) {
    if (form === undefined) continue;
    if (form.edit === undefined) {
      await expect(methods.act(form.title, 'Edit')).toHaveCount(0);
      continue;
    }
    const [label, text] = form.edit;
    await methods.act(form.title, 'Edit').click();
    await expectAccessible(page, `${gateway}-edit-${form === card ? 'card' : 'bank'}`, { within: 'dialog' });
    await methods.dialog.getByLabel(label, { exact: true }).fill(text);
    if (form.needsCountry) {
      await expect(methods.button('Save')).toBeDisabled();
      await methods.dialog.getByLabel('Country').selectOption('US');
    }
    await methods.button('Save').click();
    await expect(methods.told(`${form.title} was changed`)).toBeVisible();
    await methods.act(form.title, 'Details').click();
    await expect(methods.row(form.title)).toContainText(text);
  }
  if (card === undefined || bank === undefined) return;
  await methods.act(bank.title, 'Make default').click();
  await expect(methods.told(`${bank.title} is your default payment method now`)).toBeVisible();
}

async function paySeveral(page: Page, { card, bank }: GatewayForms, provider: Provider) {
  const bulk = new BulkPayPage(page);
  await bulk.begin(provider, [await provider.bill('20.00'), await provider.bill('26.00')]);
  const title = card?.title ?? bank?.title ?? '';
  if (bank !== undefined) await expect(bulk.methods).toContainText(`usually confirmed within ${bank.within}`);
  await bulk.methods.getByRole('radio', { name: title }).check();
  await bulk.button.click();
  await expect(bulk.heading(card === undefined ? 'Payment submitted' : 'Payment Successful')).toBeVisible();
}

async function remove(page: Page, { card, bank }: GatewayForms) {
  const methods = new PaymentMethodsPage(page);
  for (const form of [card, bank]) {
    if (form === undefined) continue;
    await methods.act(form.title, 'Remove').click();
    await methods.button('Remove').click();
    await expect(methods.told(`${form.title} was removed`)).toBeVisible();
    await expect(methods.row(form.title)).toHaveCount(0);
  }
}

for (const forms of gatewayForms) {
  test(`${forms.name ?? forms.gateway}: pays by link, is saved, changed, pays several invoices and is removed`, async ({
    page,
    stack,
    providers,
  }) => {
    const { gateway, currency, settings, accountSettings, card, bank } = forms;
    const provider = await providers.add({ gateway, currency, settings, accountSettings });
    const withNumber = new Set<string>();
    page.on('request', (request) => {
      const { port, pathname } = new URL(request.url());
      if (port === String(stack.port) && card && request.postData()?.includes(card.number))
        withNumber.add(pathname);
    });
    await test.step('by link', () => payByLink(page, forms, provider));
    await signedIn(page, stack, provider, provider.url);
    const methods = new PaymentMethodsPage(page);
    await test.step('saved', () => save(page, forms, provider));
    await test.step('changed', () => change(page, forms));
    // Before anything is on its way from it: that holds it.
    if (card === undefined) {
      await test.step('removed, and saved again', async () => {
        await remove(page, forms);
        await save(page, forms, provider);
      });
    }
    await test.step('several invoices', () => paySeveral(page, forms, provider));
    await test.step('removed', async () => {
      await methods.open(provider);
      if (card !== undefined) return remove(page, forms);
      await methods.act(bank?.title ?? '', 'Remove').click();
      await methods.button('Remove').click();
      await expect(methods.dialog.getByRole('alert')).toContainText('This payment method is in use');
    });
    const expected = [...(bank && !bank.onOwnPage ? [31] : []), ...(card ? [42] : []), 46];
    await expect.poll(() => stack.sandbox.taken(provider)).toEqual(expected);
    expect([...withNumber]).toEqual(forms.isToUs ? ['/v1/ec/pay', '/v1/ec/autorize/cards'] : []);
  });
}
