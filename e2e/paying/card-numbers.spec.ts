import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { BulkPayPage } from '../support/bulk-pay-page.ts';
import { gatewayForms, usAccount } from '../support/gateway-forms.ts';
import { cards, PayPage } from '../support/pay-page.ts';
import { PaymentMethodsPage } from '../support/payment-methods-page.ts';
import { expect, signedIn, test } from '../support/test.ts';

/**
 * Runs after all others, which have typed these numbers, and types them itself where cards are saved and where several
 * invoices are paid: none may be found in anything the stack has written, as digits or in groups of four.
 */
const numbers = [
  ...new Set([
    ...Object.values(cards).map(({ number }) => number),
    ...gatewayForms.flatMap(({ card }) => card?.number ?? []),
    usAccount,
  ]),
];
const written = numbers.flatMap((number) => [number, number.replace(/(\d{4})(?=\d)/g, '$1 ')]);
/** A code is too short to look for by itself: under a name of its own it is one. */
const codes = new RegExp(
  `(cvc|cvv|cvd|card.?code|security.?code)\\W{0,8}(${Object.values(cards)
    .map(({ cvc }) => cvc)
    .join('|')})\\b`,
  'i',
);

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function findings(name: string, content: string): string[] {
  const found = written.filter((text) => content.includes(text)).map((text) => `${name}: ${text}`);
  return codes.test(content) ? [...found, `${name}: a card code`] : found;
}

/** The database's own files, wherever they lie, with everything it has not overwritten yet. */
function databaseFiles(dataDir: string): string[] {
  const address = join(dataDir, 'postgres.json');
  if (!existsSync(address)) return [];
  return filesBelow((JSON.parse(readFileSync(address, 'utf8')) as { cluster: string }).cluster);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    // The database replaces its files while it runs.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

test('cards are saved, refused, declined and paid with, and none comes back in an answer', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ settings: ['billingAddressRequired=false'] });
  const { access_token: token } = await signedIn(page, stack, provider, provider.url);
  const methods = new PaymentMethodsPage(page);
  await methods.open(provider);
  await methods.addCard(cards.mastercard, 'Mastercard ending 4444');
  await methods.fillCard(cards.insufficientFunds);
  await methods.button('Add Card').click();
  await expect(methods.dialog.getByRole('alert')).toContainText('Not enough funds on this card');

  const bulk = new BulkPayPage(page);
  // Of the server: the page begins with an id of its own.
  const opened = page.waitForResponse(/\/v1\/ec\/payments\/intents$/);
  await bulk.begin(provider, [await provider.bill('12.01'), await provider.bill('12.02')]);
  const { data: intent } = (await (await opened).json()) as { data: { sessionId: string } };
  const uid = intent.sessionId;
  await bulk.method('New Payment Method').check();
  await bulk.enterCard(cards.declined);
  await bulk.button.click();
  await expect(bulk.heading('Payment Failed')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await bulk.method('New Payment Method').check();
  await bulk.enterCard(cards.amex);
  await bulk.button.click();
  await expect(bulk.heading('Payment Successful')).toBeVisible();

  // What a client of its own, or a mistake, sends to us: refused, without a word of it.
  const { number, cvc } = cards.good;
  const bodies: readonly (readonly [string, object | string])[] = [
    ['cards', { token: number }],
    ['cards', { token: 'tok_1', cardHolder: `Eve ${number}`, cvc }],
    ['pay/bulk', { uid, cardNumber: number, cardCode: cvc, expirationDate: '2031-12' }],
    ['pay/bulk', { uid: number }],
    ['pay/bulk', { uid, cardToken: 'tok_1', email: `${number}@mail.example`, cvc }],
    ['intents', { invoiceIds: [number], id: number }],
    ['intents', `{"cardNumber":"${number}","cvc":"${cvc}"`],
  ];
  for (const [path, data] of bodies) {
    const answer = await page.request.post(`http://127.0.0.1:${stack.port}/v1/ec/payments/${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      data,
    });
    const text = await answer.text();
    expect(answer.status(), `${path}: ${text}`).toBe(400);
    expect(findings(path, text)).toEqual([]);
  }
});

test('numbers that a reseller lets pass through the server are paid with and refused, and none comes back', async ({
  page,
  providers,
}) => {
  const forms = gatewayForms.find(({ isToUs }) => isToUs);
  if (forms?.card === undefined) throw new Error('there is no such gateway');
  const provider = await providers.add({ ...forms });
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.request().method() === 'POST') answers.push(await response.text());
  });
  const pay = new PayPage(page);
  await page.goto(provider.url + (await provider.bill('12.03')).payPath);
  await forms.card.enter(page.getByRole('main'));
  await page.getByLabel('Card number').fill(`${cards.good.number.slice(0, -1)}1`);
  await pay.button.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This card number is not right');
  await page.getByLabel('Card number').fill(cards.amex.number);
  await page.getByLabel('CVC').fill(cards.amex.cvc);
  await pay.button.click();
  await expect(pay.outcome('Payment Successful')).toBeVisible();
  await page.goto(provider.url + (await provider.bill('12.04')).payPath);
  await page.getByRole('radio', { name: 'Bank account', exact: true }).check();
  await forms.bank?.enter(page.getByRole('main'));
  await page.getByRole('checkbox').check();
  await pay.button.click();
  await expect(pay.outcome('Payment submitted')).toBeVisible();
  // The page reads an answer before we do.
  await expect.poll(() => answers.length).toBeGreaterThan(1);
  expect(answers.flatMap((text) => findings('answer', text))).toEqual([]);
});

test('no file of the server, the sandbox, the outbox or the logs holds a card number or code [decisions.8.card-not-in-log]', async ({
  stack,
}) => {
  const files = filesBelow(stack.folder);
  expect(files.length).toBeGreaterThan(20);
  expect(files.some((file) => file.endsWith('.eml'))).toBe(true);
  expect(files.some((file) => file.endsWith('serve-1.log'))).toBe(true);
  expect(files.flatMap((file) => findings(file, read(file).toString('latin1')))).toEqual([]);
});

test('the metrics of no server hold a card number or code', async ({ stack }) => {
  // Only this machine may ask, and not through the balancer.
  const logs = filesBelow(join(stack.folder, 'logs')).filter((file) => /serve-\d\.log$/.test(file));
  expect(logs.length).toBeGreaterThan(1);
  for (const log of logs) {
    const ready = [...readFileSync(log, 'utf8').matchAll(/"listening":"([^"]+)"/g)].at(-1)?.[1];
    const metrics = await (await fetch(`${ready}/metrics`)).text();
    expect(metrics).toContain('route="/v1/ec/');
    expect(findings(log, metrics)).toEqual([]);
  }
});

test('no file of the database holds a card number, not even in what was deleted [decisions.8.card-not-in-database]', async ({
  stack,
}) => {
  const files = databaseFiles(stack.dataDir);
  if (files.length > 0) expect(files.some((file) => file.includes('pg_wal'))).toBe(true);
  const found = files.flatMap((file) => {
    const bytes = read(file);
    return written.filter((text) => bytes.includes(text)).map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});

test('no column of the database holds a card number or code [decisions.8.card-not-in-database]', async ({
  stack,
}) => {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<{ place: string; name: string; kind: string }>(`
      select format('%I.%I', n.nspname, c.relname) as place, format('%I', a.attname) as name, t.typname as kind
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_type t on t.oid = a.atttypid
       where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and n.nspname not in ('pg_catalog', 'information_schema')
         and t.typname in ('text', 'varchar', 'citext', 'json', 'jsonb', 'bytea', '_text', '_varchar', 'name', 'bpchar', 'xml')`);
    expect(columns.length).toBeGreaterThan(50);
    const found: string[] = [];
    for (const { place, name, kind } of columns) {
      // Bytes may hold text; what is sealed shows nothing.
      const text = kind === 'bytea' ? `encode(${name}, 'escape')` : `${name}::text`;
      const { rows } = await client.query<{ value: string }>(
        `select ${text} as value from ${place} where ${text} like any ($1) or ${text} ~* '(cvc|cvv|cvd|code)' and ${text} ~ $2`,
        [
          written.map((one) => `%${one}%`),
          Object.values(cards)
            .map(({ cvc }) => `\\m${cvc}\\M`)
            .join('|'),
        ],
      );
      found.push(...rows.flatMap(({ value }) => findings(`${place}.${name}`, value)));
    }
    expect(found).toEqual([]);
  } finally {
    await client.end();
  }
});
