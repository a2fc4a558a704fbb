import { cards, PayPage } from '../support/pay-page.ts';
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
