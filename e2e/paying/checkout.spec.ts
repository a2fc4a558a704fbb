import { expectAccessible } from '../support/accessible.ts';
import { expect, signedIn, test } from '../support/test.ts';

test('the address that the specified call gives leads to the provider’s own page, and opens it only then', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add();
  const { access_token: token } = await signedIn(page, stack, provider, provider.url);
  const { number } = await provider.bill('41.00');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async <T>(path: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await fetch(`http://127.0.0.1:${stack.port}/v1/ec/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  const invoices = await call<{ data: { id: string; number: string }[] }>('invoices');
  const bill = invoices.data.find((one) => one.number === number);
  const intent = await call<{ data: { sessionId: string } }>('payments/intents', { invoiceIds: [bill?.id] });
  const { sessionId } = intent.data;
  const told = await call<{ data: string; url: string }>(`payments/checkout-session/${sessionId}`);
  expect(told.data).toBe(sessionId);

  await page.goto(told.url);
  const sandbox = new URL(stack.sandboxUrl).host;
  await page.waitForURL((url) => url.host === sandbox);
  // It is open now, and the same call leads there at once.
  const open = await call<{ data: string; url: string }>(`payments/checkout-session/${sessionId}`);
  expect(open.url).toBe(page.url());

  await page.route('**/checkout-session/**', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(told.url);
  await expect(page.getByText('Nothing was charged')).toBeVisible();
  await expectAccessible(page, 'checkout-failed');
  await page.unroute('**/checkout-session/**');
  await page.goto(`${provider.url}/checkout?session=${'x'.repeat(24)}`);
  await page.waitForURL((url) => url.pathname === '/invoices');
});
