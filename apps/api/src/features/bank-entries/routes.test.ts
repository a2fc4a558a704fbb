import { describe, expect, it } from 'vitest';
import { type SampleEntry, sampleCamt } from '../../../test/fixtures/bank/sample-camt.ts';
import { useImportProgram } from '../../../test/fixtures/import-program.ts';
import { sampleUbl } from '../imports/invoices/sample-documents.ts';

const { fixture, rows, provider } = useImportProgram();
const path = '/bank-entries';

/** A provider whose customer K-1 has the bills B-101 over 12.00 and B-102 over 8.50 EUR. */
async function withBills() {
  fixture.clock.set(new Date('2026-04-01T10:00:00Z'));
  const program = await provider();
  const { reseller, customer, take } = program;
  await rows("insert into customer_identity values ($1, 'externalRef', 'K-1', $2)", [
    reseller.id,
    customer.id,
  ]);
  const bill = (number: string, payable: string) =>
    take(
      sampleUbl({
        number,
        lines: [{ amount: payable, price: payable }],
        sums: [payable, '0', payable, payable],
      }),
      { customer: 'K-1' },
      'application/xml',
    );
  await bill('B-101', '12.00');
  await bill('B-102', '8.50');
  return {
    ...program,
    bill,
    statement: (...entries: readonly SampleEntry[]) => take(sampleCamt(entries), {}, 'application/xml'),
    due: async () =>
      Object.fromEntries(
        (
          await rows<{ number: string; due: number }>(
            'select number, due_minor::int as due from invoice where customer_id = $1 order by number',
            [customer.id],
          )
        ).map(({ number, due }) => [number, due]),
      ),
    list: async (query = '') => (await program.get(`${path}${query}`)).data,
  };
}

describe('an uploaded statement', () => {
  it('is looked at first, then taken in once; what is certain is booked', async () => {
    const { upload, work, show, post, list, due, take, customer, get } = await withBills();
    const file = sampleCamt([
      { text: 'B-101', reference: 'R-1' },
      { amount: '8.00', text: 'B-102' },
      { amount: '5.00', text: 'hello' },
      { sign: 'DBIT', amount: '900.00', text: 'rent' },
    ]);
    const id = await upload(file, { dryRun: 'true', fileName: 'march.xml' }, 'application/xml');
    await work(id);
    expect((await show(id)).preview).toMatchObject({
      created: 3,
      amounts: [{ currency: 'EUR', created: '25.00' }],
      warnings: ['1 booked, 1 to be decided, 1 waiting, 1 of money going out passed over'],
    });
    expect([await list(), await due()]).toEqual([[], { 'B-101': 1_200, 'B-102': 850 }]);
    await post(`/imports/${id}/start`);
    await work(id);
    await work(id);
    expect(await show(id)).toMatchObject({
      state: 'done',
      format: 'camt.053',
      created: 3,
      unchanged: 0,
      notUndoneBecause: 'Entries of a bank statement are reopened and dismissed one by one',
    });
    expect(await due()).toEqual({ 'B-101': 0, 'B-102': 850 });
    const [booked] = await list('?state=booked&customer=K-1');
    expect(booked).toMatchObject({
      amount: '12.00',
      customerId: customer.id,
      decidedBy: null,
      fileName: 'march.xml',
    });
    expect((await list(`?state=suggested&import=${id}`))[0]).toMatchObject({
      reasons: ['amount'],
      candidates: [
        { by: 'number', fits: false, invoices: [{ number: 'B-102', due: '8.50', currency: 'EUR' }] },
      ],
    });
    const { data: today } = await get('/today');
    expect(today.groups.find(({ group }: { group: string }) => group === 'bankEntries')).toMatchObject({
      count: 1,
      sums: [{ currency: 'EUR', amount: '8.00' }],
      items: [{ kind: 'bankEntrySuggested', about: 'B-102', amount: '8.00' }],
    });
    const again = await take(file, {}, 'application/xml');
    expect(await show(again)).toMatchObject({ state: 'done', created: 0, unchanged: 3 });
    const broken = await take(file.slice(0, 900), {}, 'application/xml');
    expect(await show(broken)).toMatchObject({ state: 'done', created: 0, quarantined: 1 });
  });
});

describe('what a person decides', () => {
  it('books to invoices, the rest as credit; the same again changes nothing, something else is refused; reopened it is due again', async () => {
    const { statement, list, post, due, get, trail } = await withBills();
    await statement({ amount: '20.00', text: 'hello' });
    const [{ id }] = await list('?state=unmatched');
    const wanted = { customer: 'K-1', invoices: ['B-102'] };
    expect(await post(`${path}/${id}/book`, wanted)).toMatchObject({
      status: 200,
      data: { state: 'booked', decidedBy: 'key:erp', candidates: [] },
    });
    expect(await post(`${path}/${id}/book`, wanted)).toMatchObject({
      status: 200,
      data: { state: 'booked' },
    });
    expect(await due()).toEqual({ 'B-101': 1_200, 'B-102': 0 });
    for (const [call, body, code] of [
      ['book', { customer: 'K-1', invoices: ['B-101'] }, 'bankEntry.decided'],
      ['book', {}, 'bankEntry.noCustomer'],
      ['dismiss', { note: 'x' }, 'bankEntry.decided'],
    ] as const)
      expect(await post(`${path}/${id}/${call}`, body)).toMatchObject({ code });
    const { data: payments } = await get('/external-payments');
    expect(payments).toMatchObject([{ amount: '20.00', toCredit: '11.50', recordedBy: 'key:erp' }]);
    expect(await post(`${path}/${id}/reopen`, { note: 'wrong customer' })).toMatchObject({
      data: { state: 'suggested', paymentId: null },
    });
    expect(await due()).toEqual({ 'B-101': 1_200, 'B-102': 850 });
    expect(await post(`${path}/${id}/book`, { customer: 'K-1', invoices: ['B-101'] })).toMatchObject({
      status: 200,
    });
    expect(await due()).toEqual({ 'B-101': 0, 'B-102': 850 });
    expect(await post(`${path}/${id}/book`, { customer: 'gone' })).toMatchObject({
      code: 'externalPayment.noCustomer',
    });
    expect(await trail()).not.toContain('bankEntry.dismissed');
  });

  it('sets aside what is not ours; a payment taken back elsewhere opens its entry', async () => {
    const { statement, list, post } = await withBills();
    await statement({ amount: '3.00', text: 'interest' }, { text: 'B-101' });
    const [{ id }] = await list('?state=unmatched');
    expect(await post(`${path}/${id}/dismiss`, { note: 'interest' })).toMatchObject({
      data: { state: 'dismissed', note: 'interest' },
    });
    expect(await post(`${path}/${id}/reopen`, { note: 'no' })).toMatchObject({
      data: { state: 'suggested' },
    });
    const [booked] = await list('?state=booked');
    await post(`/external-payments/${booked.paymentId}/void`, { note: 'bounced' });
    expect(
      (await list('?state=suggested')).find((one: { id: string }) => one.id === booked.id),
    ).toMatchObject({
      reasons: ['takenBack'],
      candidates: [{ fits: true, invoices: [{ number: 'B-101', due: '12.00' }] }],
    });
  });

  it('takes a payment back that the bank returned', async () => {
    const { statement, list, post, due } = await withBills();
    const iban = 'NL91ABNA0417164300';
    await statement({ text: 'B-101', iban, endToEnd: 'E-1' });
    await statement({ sign: 'DBIT', code: 'RRTN', text: 'return', iban, endToEnd: 'E-1', day: '2026-03-25' });
    const [{ id, candidates }] = await list('?sign=debit');
    expect(candidates).toMatchObject([{ by: 'reference', fits: true, invoices: [{ number: 'B-101' }] }]);
    const payment = candidates[0].paymentId;
    expect(await post(`${path}/${id}/book`, { payment })).toMatchObject({ data: { state: 'booked' } });
    expect(await due()).toMatchObject({ 'B-101': 1_200 });
    expect(await post(`${path}/${id}/book`, { payment })).toMatchObject({ status: 200 });
    expect(await post(`${path}/${id}/reopen`, { note: 'x' })).toMatchObject({
      code: 'bankEntry.notReopened',
    });
  });

  it('is about entries of the provider’s own alone', async () => {
    const [one, other] = [await withBills(), await withBills()];
    await one.statement({ text: 'hello' });
    const [{ id }] = await one.list();
    expect(await other.list()).toEqual([]);
    for (const call of ['book', 'dismiss', 'reopen'])
      expect(
        await other.post(`${path}/${id}/${call}`, call === 'book' ? { customer: 'K-1' } : { note: 'x' }),
      ).toMatchObject({ status: 404, code: 'bankEntry.notFound' });
  });
});
