import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expectAccessible } from '../support/accessible.ts';
import { follow, goTo, invitation, press, tabTo } from '../support/console.ts';
import { expect, test } from '../support/test.ts';

test('an owner adds an endpoint, tests it, sees what was sent and why it failed, sends it again and gives it a new secret, by keyboard alone', async ({
  page,
  stack,
  providers,
}) => {
  // Several screens, each looked at wide and narrow, light and dark.
  test.slow();
  const received: { body: string; headers: Record<string, string> }[] = [];
  let status = 204;
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
      );
      received.push({ body: Buffer.concat(parts).toString(), headers });
      reply.writeHead(status).end(status === 204 ? undefined : 'The ledger is closed');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/billing`;
  try {
    const provider = await providers.add();
    const { url: invited } = await invitation(stack, provider, 'owner');
    await follow(page, invited);
    await goTo(page, 'w', 'Webhooks');
    await press(page, page.getByRole('link', { name: 'Outgoing' }));
    await expect(page.getByRole('heading', { level: 1, name: 'Outgoing webhooks' })).toBeVisible();
    await expect(page.getByText('No endpoints')).toBeVisible();

    await press(page, page.getByRole('button', { name: 'Add an endpoint' }));
    const adding = page.getByRole('dialog', { name: 'Add an endpoint' });
    await tabTo(page, adding.getByLabel('Address'));
    await page.keyboard.type('ftp://receiver.example');
    await press(page, adding.getByRole('button', { name: 'Add' }));
    await expect(adding.getByRole('alert')).toContainText('no address that begins with https://');
    await tabTo(page, adding.getByLabel('Address'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(url);
    await tabTo(page, adding.getByLabel('What it is for'));
    await page.keyboard.type('Accounting');
    await expectAccessible(page, 'console-add-endpoint', { within: 'dialog' });
    await press(page, adding.getByRole('button', { name: 'Add' }));
    const once = page.getByRole('dialog', { name: 'Secret of the endpoint' });
    const secret = await once.locator('code').innerText();
    await press(page, once.getByRole('button', { name: 'Done' }));
    await expect(page.getByRole('heading', { level: 1, name: /^127\.0\.0\.1/ })).toBeVisible();

    await press(page, page.getByRole('button', { name: 'Send a test' }));
    await expect(page.getByText('The test was taken: 204.')).toBeVisible();
    const [test_] = received;
    expect(new Webhook(secret).verify(test_?.body ?? '', test_?.headers ?? {})).toMatchObject({
      type: 'webhook.test',
    });
    status = 500;
    await press(page, page.getByRole('button', { name: 'Send a test' }));
    await expect(page.getByText('The test was not taken: it answered 500.')).toBeVisible();

    // What happens reaches it too, by the worker.
    status = 204;
    const bill = await provider.bill('120.00');
    const list = page.getByRole('table', { name: 'Messages' });
    await expect.poll(() => received.filter(({ body }) => body.includes(bill.number)).length).toBe(1);
    await page.reload();
    await expect(list).toContainText('invoice.created');
    await expectAccessible(page, 'console-endpoint');

    await press(page, page.getByRole('link', { name: 'webhook.test' }).last());
    await expect(page.getByRole('heading', { level: 1, name: 'webhook.test' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'What is sent' })).toContainText('"type": "webhook.test"');
    const before = received.length;
    await press(page, page.getByRole('button', { name: 'Send again' }));
    await expect.poll(() => received.length).toBeGreaterThan(before);
    await expectAccessible(page, 'console-delivery');

    await page.goBack();
    await press(page, page.getByRole('button', { name: 'New secret' }));
    const rotating = page.getByRole('dialog', { name: 'Give the endpoint a new secret?' });
    await press(page, rotating.getByRole('button', { name: 'New secret' }));
    await expect(once.locator('code')).not.toHaveText(secret);
    await press(page, once.getByRole('button', { name: 'Done' }));
    await expect(page.getByRole('region', { name: 'Endpoint' })).toContainText('Old secret until');
    await press(page, page.getByRole('button', { name: 'Pause' }));
    await expect(page.getByText('Paused. What happens is kept and waits')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('table', { name: 'Outgoing webhooks' })).toContainText('Paused');
    await expectAccessible(page, 'console-endpoints');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
