import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../support/accessible.ts';
import { billingOf } from '../support/billing.ts';
import { expect, signedIn, test } from '../support/test.ts';

test('one of more connections than are listed is found by words of its number and description, and named by the address', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ hasGateway: false });
  const make = billingOf(providers, provider);
  const voice = randomUUID();
  await make.service('Voice', voice);
  await make.item(await make.service('Data'), 'SIM-1', null, null);
  await providers.sql(
    `insert into service_item (customer_id, id, service_id, name, description, cost_centre)
     select $1, gen_random_uuid(), $2, 'L-' || lpad(n::text, 3, '0'), 'Desk of floor ' || n % 7, 'Hall' from generate_series(1, 600) n`,
    [provider.customerId, voice],
  );
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/service-items') && calls.push(request.url()));
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/usage?service=${voice}`);
  const trigger = page.getByLabel('Connection', { exact: true });
  const field = page.getByRole('combobox', { name: 'Connection' });
  const options = page.getByRole('listbox', { name: 'Connection' }).getByRole('option');
  await trigger.click();
  await expect(page.getByText('101 more: type to find them')).toBeVisible();
  await field.fill('desk l-594');
  await expect(options).toHaveText(['L-594 · Desk of floor 6']);
  await expectAccessible(page, 'usage-connections');
  // What a choice does not show is not looked for.
  await field.fill('hall');
  await expect(page.getByText('Nothing found').first()).toBeVisible();
  await field.fill('l-594');
  await expect(options).toHaveCount(1);
  await field.press('Enter');
  await expect(page).toHaveURL(/connection=/);
  await expect(trigger).toHaveText('L-594 · Desk of floor 6');
  await page.reload();
  await expect(trigger).toHaveText('L-594 · Desk of floor 6');
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(new URL(call).searchParams.has('limit'), call).toBe(true);

  await page.getByLabel('Service', { exact: true }).selectOption('all');
  await expect(trigger).toHaveText('All Connections');
  await page.goto(`${provider.url}/usage?service=${voice}&connection=${randomUUID()}`);
  await expect(page.getByText('The connection it names')).toBeVisible();
});
