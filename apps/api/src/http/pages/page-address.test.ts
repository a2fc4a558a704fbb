import { expect, it } from 'vitest';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const isNotFound = async (url: string): Promise<boolean> =>
  (await fixture.app.inject({ url, headers: { accept: 'text/html' } })).statusCode === 404;

it.each([
  '/redirect-loader?r=https://shop.example.com',
  '/redirect-loader?r=%2Finvoices%3Fq%3Da.com',
  '/la/AbC-_9?c=1&r=https://shop.example.org',
  '/invoices?sort=customer.name',
])('%s is a page: what stands in a query is no file', async (url) => {
  expect(await isNotFound(url)).toBe(false);
});

it.each(['/favicon.png', '/sitemap.xml?x=1', '/v1/nothing?r=/invoices'])('%s is none', async (url) => {
  expect(await isNotFound(url)).toBe(true);
});
