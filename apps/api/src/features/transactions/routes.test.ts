import { describe, expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const make = billingRows(fixture);
const UNKNOWN = '019364b2-7a00-7000-8000-000000000000';

async function withAgreement(settings?: Readonly<Record<string, unknown>>) {
  const person = await signedIn(fixture, settings);
  const { id } = person.customer;
  const agreementId = await make.agreement(id, 'Mobile');
  const march = await make.period(id, agreementId, '2026-03-01', '2026-03-31');
  const april = await make.period(id, agreementId, '2026-04-01', '2026-04-30');
  return { ...person, id, agreementId, march, april };
}

describe('agreements and their periods', () => {
  it('lists agreements, the oldest first, and the periods of one, newest first [portal.transactions.{field.agreement.id,field.agreement.agreementName,call.agreements,call.billing-periods}, portal.transactions.field.period.*]', async () => {
    const { id, agreementId, march, april, get } = await withAgreement();
    const older = await make.agreement(id, 'Fixed line', '2020-01-01');
    expect((await get('/v1/ec/agreements')).json().data).toEqual([
      { id: older, agreementName: 'Fixed line' },
      { id: agreementId, agreementName: 'Mobile' },
    ]);
    expect((await get(`/v1/ec/billing-periods/${agreementId}`)).json().data).toEqual([
      { id: april, month: 4, year: 2026, periodStart: '2026-04-01', periodEnd: '2026-04-30' },
      { id: march, month: 3, year: 2026, periodStart: '2026-03-01', periodEnd: '2026-03-31' },
    ]);
    expect((await get(`/v1/ec/billing-periods/${older}`)).json().data).toEqual([]);
  });

  it('answers an agreement of another customer like an unknown one', async () => {
    const mine = await withAgreement();
    const other = await withAgreement();
    for (const id of [other.agreementId, UNKNOWN]) {
      const answer = await mine.get(`/v1/ec/billing-periods/${id}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'agreement.notFound']);
    }
    expect((await mine.get('/v1/ec/billing-periods/nonsense')).statusCode).toBe(400);
  });

  it('is empty for a customer with nothing', async () => {
    const { get } = await signedIn(fixture);
    expect((await get('/v1/ec/agreements')).json()).toEqual({ data: [] });
  });
});

describe('GET /v1/ec/transactions', () => {
  it('answers the lines of a period with every field, invoiced or not [portal.transactions.field.transaction.*, portal.transactions.{call.list,field.list.period}, decisions.5.{transaction-is-line,transaction-not-invoiced,transaction-one-table}]', async () => {
    const { id, reseller, customer, agreementId, march, get } = await withAgreement();
    const serviceId = await make.service(reseller.id, 'Voice');
    const invoice = await fixture.seedPayable(customer, { number: 'T-1', issuedOn: '2026-04-01' });
    const extra = ['PO-1', 'Depot', 'Fleet', 'fixed', 'B'];
    const line = await make.line(id, {
      invoiceId: invoice.id,
      agreementId,
      serviceId,
      name: 'Calls',
      extra,
      from: '2026-03-01',
      to: '2026-03-31',
      amountMinor: 1_234n,
      quantity: '12.500000',
    });
    const open = await make.line(id, {
      agreementId,
      name: 'Line rental',
      from: '2026-03-05',
      amountMinor: 500n,
    });
    expect((await get(`/v1/ec/transactions?period=${march}`)).json().data).toEqual([
      {
        id: line,
        productLabel: '',
        productName: 'Calls',
        serviceName: 'Voice',
        serviceItem: '',
        siteLabel: '',
        invoiceNumber: 'T-1',
        invoiceId: invoice.id,
        dateFrom: '2026-03-01',
        dateTo: '2026-03-31',
        price: 12.34,
        currency: 'USD',
        quantity: 12.5,
        unit: '',
        quantityUnit: null,
        extraField1: 'PO-1',
        extraField2: 'Depot',
        extraField3: 'Fleet',
        extraField4: 'fixed',
        extraField5: 'B',
      },
      expect.objectContaining({ id: open, invoiceNumber: '', invoiceId: null, price: 5, extraField1: '' }),
    ]);
  });

  it('puts each line into the period of its first day, and one without days into that of its invoice', async () => {
    const { id, customer, agreementId, march, april, get } = await withAgreement();
    const invoice = await fixture.seedPayable(customer, { issuedOn: '2026-04-02' });
    await make.line(id, { agreementId, name: 'last of March', from: '2026-03-31', to: '2026-04-30' });
    await make.line(id, { agreementId, name: 'first of April', from: '2026-04-01' });
    await make.line(id, { agreementId, invoiceId: invoice.id, name: 'no day', from: null });
    const names = async (period: string) =>
      (await get(`/v1/ec/transactions?period=${period}`))
        .json()
        .data.map(({ productName }: { productName: string }) => productName);
    expect(await names(march)).toEqual(['last of March']);
    expect(await names(april)).toEqual(['first of April', 'no day']);
  });

  it('shows lines that name no agreement with the first one only, and none of a void invoice', async () => {
    const { id, customer, march, get } = await withAgreement();
    const second = await make.agreement(id, 'Later', '2025-01-01');
    const its = await make.period(id, second, '2026-03-01', '2026-03-31');
    const wasVoid = await fixture.seedPayable(customer, { status: 13 });
    await make.line(id, { name: 'one-off' });
    await make.line(id, { name: 'void', invoiceId: wasVoid.id });
    expect((await get(`/v1/ec/transactions?period=${march}`)).json().data).toMatchObject([
      { productName: 'one-off' },
    ]);
    expect((await get(`/v1/ec/transactions?period=${its}`)).json().data).toEqual([]);
  });

  it('refuses a missing or malformed period, and answers another customer’s like an unknown one [portal.transactions.field.list.period]', async () => {
    const mine = await withAgreement();
    const other = await withAgreement();
    expect((await mine.get('/v1/ec/transactions')).statusCode).toBe(400);
    expect((await mine.get('/v1/ec/transactions?period=nonsense')).statusCode).toBe(400);
    for (const period of [other.march, UNKNOWN]) {
      const answer = await mine.get(`/v1/ec/transactions?period=${period}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'period.notFound']);
    }
  });
});

describe('GET /v1/ec/extra-fields/labels', () => {
  it('answers the brand’s headers with type 3, and numbers for those it leaves out [portal.transactions.extra-labels-type-3, portal.transactions.call.extra-fields]', async () => {
    const { get } = await signedIn(fixture, { transactionExtraLabels: ['Purchase order', '', 'Site'] });
    expect((await get('/v1/ec/extra-fields/labels')).json().data).toEqual([
      { type: 3, number: 1, label: 'Purchase order' },
      { type: 3, number: 2, label: 'Extra 2' },
      { type: 3, number: 3, label: 'Site' },
      { type: 3, number: 4, label: 'Extra 4' },
      { type: 3, number: 5, label: 'Extra 5' },
    ]);
  });
});
