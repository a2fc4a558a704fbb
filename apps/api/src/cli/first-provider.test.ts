import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildApp } from '../build-app.ts';
import { readSettings } from '../config.ts';
import { sampleUbl } from '../features/imports/invoices/sample-documents.ts';
import { openRuntime } from '../runtime.ts';
import { commands } from './commands.ts';
import { runCommand } from './run.ts';

const database = useDatabase();
let folder: string;
let sandbox: RunningSandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provider-'));
  sandbox = await launchSandbox({ directory: join(folder, 'sandbox') });
});
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command as `npm run counterfoil -- … --json` does. */
async function counterfoil<T = unknown>(...args: readonly string[]): Promise<T> {
  const lines: string[] = [];
  const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
  const code = await runCommand(commands, [...args, '--json'], output);
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}: ${lines.join('\n')}`);
  return JSON.parse(lines.join('\n')) as T;
}

/** The steps of docs/operations.md, 'First provider, step by step', in their order. */
it('takes a provider from an empty database to a paid invoice by commands alone [decisions.0.whole-keys]', async () => {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  vi.stubEnv('PUBLIC_URL', 'https://bills.example');
  vi.stubEnv('GATEWAY_URL_STRIPE', sandbox.url);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('DEMO', '0');
  vi.stubEnv('WEB_DIST', fakePortal());

  await counterfoil('migrate');
  await counterfoil('reseller', 'add', '--id', '4100', '--name', 'Northline Telecom');
  await counterfoil(
    'brand',
    'add',
    '--reseller',
    '4100',
    '--name',
    'Northline',
    '--host',
    'bills.northline.example',
    '--currency',
    'EUR',
    '--time-zone',
    'Europe/Stockholm',
    '--setting',
    'currencySymbol=€',
    '--setting',
    'billingAddressRequired=false',
  );
  const customer = await counterfoil<{ id: string }>(
    'customer',
    'add',
    '--reseller',
    '4100',
    '--label',
    'Harbour Office',
    '--ref',
    'C-1001',
    '--endpoint',
    '0088:7300010000902',
  );
  const user = await counterfoil<{ email: string; password: string }>(
    'user',
    'add',
    '--reseller',
    '4100',
    '--email',
    'mia@harbour.example',
    '--name',
    'Mia Harbour',
    '--customer',
    customer.id,
  );
  await counterfoil(
    'gateway',
    'set',
    '--reseller',
    '4100',
    '--gateway',
    'stripe',
    '--set',
    'secretKey=sk_test_northline',
    '--set',
    'publishableKey=pk_test_northline',
  );
  expect(await counterfoil('gateway', 'check', '--reseller', '4100')).toMatchObject({ ok: true });
  const file = join(folder, 'invoice.xml');
  await writeFile(file, sampleUbl({ number: 'N-1', buyer: '7300010000902' }));
  const report = await counterfoil<{ invoices: { customerId: string; payLink: string }[] }>(
    'import',
    '--reseller',
    '4100',
    file,
  );
  expect(report.invoices).toMatchObject([{ customerId: customer.id }]);
  const payLink = report.invoices[0]?.payLink ?? '';
  expect(payLink).toMatch(/^https:\/\/bills\.northline\.example\/pay\/[\w-]{22}$/);
  expect(await counterfoil('doctor')).toMatchObject({ ok: true });

  const runtime = await openRuntime(readSettings());
  const { app } = await buildApp(runtime, { modules: gatewayModules });
  try {
    const token = payLink.split('/pay/')[1] ?? '';
    const signIn = await app.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'password',
        client_id: 'counterfoil-portal',
        username: user.email,
        password: user.password,
      }).toString(),
    });
    expect(signIn.statusCode).toBe(200);
    const details = await app.inject(`/v1/ec/payment/details/${token}`);
    expect(details.json()).toMatchObject({
      data: {
        invoiceAmount: 12,
        currency: 'EUR',
        apiStatus: true,
        brandName: 'Northline',
        brandSettings: { publishableKey: 'pk_test_northline' },
      },
    });
    const paid = await app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: {
        uid: token,
        invoiceAmount: '12.00',
        invoiceNumber: 'N-1',
        cardToken: 'tok_visa',
        cardHolder: 'Mia Harbour',
      },
    });
    expect(paid.json()).toMatchObject({ data: { status: 'succeeded' } });
  } finally {
    await app.close();
    await runtime.close();
  }
  const { payments } = await counterfoil<{ payments: { ref: string }[] }>(
    'payments',
    'list',
    '--customer',
    customer.id,
  );
  expect(payments).toMatchObject([{ state: 'succeeded', amount: '12.00', invoices: ['N-1'] }]);
  const shown = await counterfoil<{ history: { to: string }[] }>('payments', 'show', payments[0]?.ref ?? '');
  expect(shown.history.at(-1)).toMatchObject({ to: 'succeeded' });
});
