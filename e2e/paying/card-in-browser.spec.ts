import { cards, PayPage } from '../support/pay-page.ts';
import { pressDimmed } from '../support/press-dimmed.ts';
import { expect, test } from '../support/test.ts';

const { number } = cards.good;
const written = [number, number.replace(/(\d{4})(?=\d)/g, '$1 ')];

test('a card number goes from the provider’s fields to the provider only: not to the server, into an address, or into browser storage [decisions.8.{card-not-in-browser-storage,card-not-in-url,card-not-to-server}]', async ({
  page,
  context,
  providers,
  stack,
}) => {
  const provider = await providers.add();
  const ours: string[] = [];
  const addresses: string[] = [];
  const toProvider: string[] = [];
  context.on('request', (request) => {
    const text = `${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ''}`;
    addresses.push(request.url());
    (new URL(request.url()).port === String(stack.port) ? ours : toProvider).push(decodeURIComponent(text));
  });
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  const pay = new PayPage(page);
  await pay.open(provider, await provider.bill('13.13'));
  await page.getByLabel('Card Holder Name').fill('Eve Endtoend');
  await pay.pay(cards.good);
  await expect(pay.heading('Payment Successful')).toBeVisible();

  const holds = (text: string) => written.some((one) => text.includes(one));
  // The number did travel, or the rest would prove nothing.
  expect(toProvider.some((text) => holds(text.replaceAll('+', ' ')))).toBe(true);
  expect(ours.some((text) => text.includes('/v1/ec/pay'))).toBe(true);
  expect(ours.filter((text) => holds(text.replaceAll('+', ' ')))).toEqual([]);
  expect(addresses.filter((url) => holds(decodeURIComponent(url)))).toEqual([]);

  for (const frame of page.frames()) {
    const kept = await frame.evaluate(async () =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        history.state,
        await indexedDB.databases(),
        await caches.keys(),
      ]),
    );
    expect(holds(kept)).toBe(false);
  }
  expect(holds(JSON.stringify(await context.storageState({ indexedDB: true })))).toBe(false);
});

test('Pinch is sent a card by its publishable key and gives a token, or says what is wrong with it [payments.pinch.{holder-required,email-required,call.token,field.token.*,error.token}]', async ({
  page,
  providers,
}) => {
  const provider = await providers.add({ gateway: 'pinch', currency: 'AUD' });
  const asked: unknown[] = [];
  const tokens = '**/pinch/api/test/tokens';
  page.on('request', (request) => {
    if (request.url().endsWith('/tokens') && request.method() === 'POST') asked.push(request.postDataJSON());
  });
  await page.goto(`${provider.url}${(await provider.bill('13.14')).payPath}`);
  const pay = new PayPage(page);
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry date').fill(cards.good.expiry);
  await page.getByLabel('CVC').fill(cards.good.cvc);
  await page.getByLabel('Email Receipt').fill('');
  await pressDimmed(pay.button);
  const alert = page.getByRole('alert');
  for (const problem of ['Enter the name on the card', 'Enter an email address like name@example.com'])
    await expect(alert.getByText(problem)).toBeVisible();
  expect(asked).toEqual([]);
  await page.getByLabel('Card Holder Name').fill('Eve Endtoend');
  await page.getByLabel('Email Receipt').fill('eve@mail.example');
  await page.route(tokens, (route) =>
    route.fulfill({
      status: 400,
      headers: { 'access-control-allow-origin': '*' },
      json: [{ propertyName: 'CardNumber', errorMessage: 'This card is not welcome here.' }],
    }),
  );
  await pay.button.click();
  await expect(alert).toContainText('This card is not welcome here.');
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(/not welcome here/);
  await page.unroute(tokens);
  await page.getByLabel('Card number').fill(number);
  await pay.button.click();
  await expect(pay.heading('Payment Successful')).toBeVisible();
  expect(asked.at(-1)).toEqual({
    PublishableKey: expect.stringMatching(/^pk_test_\w+$/),
    CardNumber: number,
    Cvc: cards.good.cvc,
    ExpiryMonth: 12,
    ExpiryYear: 2031,
    CardHolderName: 'Eve Endtoend',
  });
});
