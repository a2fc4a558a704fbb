import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { createConfig, lintFromString, stringifyYaml } from '@redocly/openapi-core';
import { generateSource } from 'oazapfts';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture({ modules: gatewayModules });

it('passes the recommended rules of a linter without a warning', { timeout: 120_000 }, async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The specification's own paths: what stands in a path as written is chosen before a parameter.
      'no-ambiguous-paths': 'off',
      // Single sign-on answers 303 and nothing else.
      'operation-2xx-response': 'off',
    },
  });
  const source = stringifyYaml((await fixture.app.openapi()) as never);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.yaml', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

/** What is used here of a client that is generated. */
interface Client {
  defaults: { baseUrl: string; headers: object };
  putResellerByReference(reference: string, values: object): Promise<Answer>;
  putBrand(reference: string, values: object): Promise<Answer>;
  putCustomer(reference: string, values: object): Promise<Answer>;
  getCustomerByReference(reference: string): Promise<Answer>;
  putInvoice(number: string, values: object): Promise<Answer>;
  putCustomerUser(id: Answer['data']['data']['id'], email: string, values: object): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly data: { readonly data: { readonly id: string | number } };
}

/** @param use gets the module that was generated; it is gone afterwards */
async function withClient(use: (client: Client) => Promise<void>): Promise<void> {
  // Within the project, where what the client imports is found.
  const data = join(import.meta.dirname, '../../../.data');
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, 'client-'));
  try {
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(await fixture.app.openapi()));
    writeFileSync(join(folder, 'client.ts'), await generateSource(document));
    await use(await import(join(folder, 'client.ts')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('makes a client whose calls do what they say', { timeout: 120_000 }, async () => {
  const key = await programKey(fixture, null, 'generated');
  await withClient(async (client) => {
    const baseUrl = await fixture.app.listen({ port: 0, host: '127.0.0.1' });
    const authorization = `Bearer ${key}`;
    Object.assign(client.defaults, { baseUrl, headers: { authorization } });
    const provider = await client.putResellerByReference('northline', { name: 'Northline' });
    expect(provider).toMatchObject({ status: 201, data: { data: { reference: 'northline' } } });
    const headers = { authorization, 'x-reseller-id': `${provider.data.data.id}` };
    Object.assign(client.defaults, { headers });
    const brand = await client.putBrand('main', { name: 'Northline', currency: 'NZD' });
    expect(brand).toMatchObject({ status: 201, data: { data: { reference: 'main', currency: 'NZD' } } });
    const made = await client.putCustomer('C-1001', { label: 'Harbour Bakery', country: 'AU' });
    expect(made).toMatchObject({ status: 201, data: { data: { reference: 'C-1001' } } });
    const { id } = made.data.data;
    const user = await client.putCustomerUser(id, 'jo@bakery.example', { displayName: 'Jo', invite: true });
    expect(user).toMatchObject({ status: 201, data: { data: { email: 'jo@bakery.example' } } });
    const line = { name: 'Fibre 300', price: '100.00', amount: '100.00' };
    const sums = { subtotal: '100.00', total: '100.00', payable: '100.00' };
    const bill = { customer: 'C-1001', issuedOn: '2026-03-01', currency: 'NZD', lines: [line], ...sums };
    expect(await client.putInvoice('INV-1', bill)).toMatchObject({ status: 201 });
    expect(await client.putInvoice('INV-1', bill)).toMatchObject({ status: 200 });
    const read = await client.getCustomerByReference('C-1001');
    expect(read).toMatchObject({ status: 200, data: { data: { id, label: 'Harbour Bakery' } } });
    const unknown = await client.getCustomerByReference('C-1002');
    expect(unknown).toMatchObject({ status: 404, data: { code: 'customer.notFound' } });
  });
});
