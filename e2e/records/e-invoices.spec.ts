import { readFileSync } from 'node:fs';
import { expectAccessible } from '../support/accessible.ts';
import { expect, signedIn, test } from '../support/test.ts';

const settings = [
  'eInvoice.isOffered=true',
  'eInvoice.legalName=Northline Telecom GmbH',
  'eInvoice.vatId=ATU12345678',
  'eInvoice.street=Hauptplatz 1',
  'eInvoice.city=Graz',
  'eInvoice.postalCode=8010',
  'eInvoice.country=AT',
];

test('a customer saves an invoice as data, beside its PDF, where the brand offers it', async ({
  page,
  stack,
  providers,
}) => {
  const provider = await providers.add({ hasGateway: false, currency: 'EUR', settings });
  await providers.sql("update customer set country = 'AT', external_ref = 'C-77' where customer_id = $1", [
    provider.customerId,
  ]);
  const number = `EI-${provider.resellerId}`;
  await provider.take({ number, more: '<b:DueDate>2099-01-31</b:DueDate>' });
  await signedIn(page, stack, provider, provider.url);
  await page.goto(`${provider.url}/invoices`);
  await page.getByRole('link', { name: number }).click();
  const asData = page.getByRole('region', { name: 'For your accounting' });
  await expect(asData.getByRole('button')).toHaveText(['E-invoice (XML)', 'Factur-X PDF']);
  await expectAccessible(page, 'invoice-as-data');
  const save = async (name: string) => {
    const saved = page.waitForEvent('download');
    await asData.getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
    const file = await saved;
    return { name: file.suggestedFilename(), content: readFileSync(await file.path(), 'latin1') };
  };
  const xml = await save('E-invoice (XML)');
  expect(xml.name).toBe(`invoice_${number}.xml`);
  expect(xml.content).toContain(`<cbc:ID>${number}</cbc:ID>`);
  const pdf = await save('Factur-X PDF');
  expect(pdf.name).toBe(`invoice_${number}_factur-x.pdf`);
  expect(pdf.content).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
});
