import { describe, expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

/** A provider's program, with a customer. */
async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'erp');
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/${url}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, ...answer.json() };
  };
  return {
    reseller,
    customer,
    get: (url = '') => call('GET', `invoices${url}`),
    post: (url: string, payload: object) => call('POST', `invoices${url}`, payload),
    voidPayment: (id: string) => call('POST', `external-payments/${id}/void`, { note: 'bounced' }),
    payments: () => call('GET', 'external-payments'),
    trail: async () =>
      (
        await fixture.database
          .pool()
          .query<{ action: string; actor: string; asked: boolean; detail: object }>(
            'select action, actor, request_id is not null as asked, detail from audit_event where customer_id = $1 order by id',
            [customer.id],
          )
      ).rows,
  };
}

const inOrder = (numbers: readonly string[]) => numbers.toSorted((a, b) => a.localeCompare(b));
const note = { note: 'as agreed' };
const money = { reference: 'bank-1', receivedOn: '2026-01-05', method: 'bankTransfer' };

describe('GET /v1/admin/invoices', () => {
  it('pages through all, finds them by each filter, and shows no others’', async () => {
    const [{ get, post, customer }, other] = [await provider(), await provider()];
    await fixture.seedPayable(other.customer, { number: 'A-1' });
    const made = [];
    for (const n of [1, 2, 3])
      made.push(
        await fixture.seedPayable(customer, {
          number: `A-${n}`,
          issuedOn: `2026-0${n}-01`,
          dueOn: `2026-0${n}-15`,
        }),
      );
    await fixture.database
      .pool()
      .query("update invoice set period_start = '2026-01-01', period_end = '2026-01-31' where id = $1", [
        made[1]?.id,
      ]);
    await post(`/${made[2]?.id}/void`, note);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ number }: { number: string }) => number));
      cursor = page.nextCursor;
    }
    expect(inOrder(seen)).toEqual(['A-1', 'A-2', 'A-3']);
    const found = async (query: string) =>
      inOrder((await get(`?${query}`)).data.map(({ number }: { number: string }) => number));
    for (const [query, numbers] of [
      [`customer=${customer.id}`, ['A-1', 'A-2', 'A-3']],
      [`customer=${other.customer.id}`, []],
      ['number=A-2', ['A-2']],
      ['kind=creditNote', []],
      ['status=open', ['A-1', 'A-2']],
      ['status=void', ['A-3']],
      ['currency=EUR', []],
      ['issuedFrom=2026-02-01', ['A-2', 'A-3']],
      ['issuedTo=2026-02-01', ['A-1', 'A-2']],
      ['dueFrom=2026-02-16', ['A-3']],
      ['dueTo=2026-02-15&status=open', ['A-1', 'A-2']],
      ['period=2026-01-31', ['A-2']],
      ['period=2026-02-01', []],
    ] as const)
      expect([query, await found(query)]).toEqual([query, numbers]);
    expect(await get(`/${made[0]?.id}`)).toMatchObject({
      status: 200,
      data: { number: 'A-1', status: 'open', payable: '110.00', due: '110.00', lines: [] },
    });
  });
});

describe('the state of an invoice', () => {
  it('is changed and changed back, each once, with a note and on record', async () => {
    const { post, customer, trail } = await provider();
    const { id } = await fixture.seedPayable(customer, { number: 'A-1' });
    for (const [act, status, state] of [
      ['dispute', 200, 'disputed'],
      ['dispute', 200, 'disputed'],
      ['void', 200, 'void'],
      ['reopen', 200, 'open'],
      ['reopen', 200, 'open'],
    ] as const)
      expect(await post(`/${id}/${act}`, note)).toMatchObject({ status, data: { status: state } });
    const changed = { action: 'invoice.changed', actor: 'key:erp', asked: true };
    const detail = (before: string, after: string) => ({
      invoice: 'A-1',
      ...note,
      'before.status': before,
      'after.status': after,
    });
    expect(await trail()).toEqual([
      { ...changed, detail: detail('open', 'disputed') },
      { ...changed, detail: detail('disputed', 'void') },
      { ...changed, detail: detail('void', 'open') },
    ]);
    expect(await post(`/${id}/void`, {})).toMatchObject({ status: 400, code: 'request.invalid' });
  });

  it('is not changed while money is on it: paid, held by a payment under way, or a credit', async () => {
    const { post, customer } = await provider();
    const made = await fixture.seedPayable(customer, { number: 'A-1' });
    const refusals = async (id: string) => {
      const codes = [];
      for (const act of ['void', 'dispute', 'reopen']) codes.push((await post(`/${id}/${act}`, note)).code);
      codes.push((await post(`/${id}/settle`, { ...money, reference: 'bank-2' })).code);
      return codes;
    };
    const set = (text: string) =>
      fixture.database.pool().query(`update invoice set ${text} where id = $1`, [made.id]);
    await set('held_minor = 100');
    expect(await refusals(made.id)).toEqual([
      'invoice.beingPaid',
      'invoice.beingPaid',
      undefined,
      'invoice.beingPaid',
    ]);
    await set('held_minor = 0');
    expect(await post(`/${made.id}/settle`, money)).toMatchObject({ status: 200 });
    expect(await refusals(made.id)).toEqual([
      'invoice.hasPayments',
      'invoice.notOpen',
      'invoice.settled',
      'invoice.settled',
    ]);
    const credit = await fixture.make.invoice({
      customerId: customer.id,
      resellerId: customer.resellerId,
      kind: 'creditNote',
      subtotalMinor: -1_000n,
      taxMinor: 0n,
    });
    expect(new Set(await refusals(credit.id))).toEqual(new Set(['invoice.isCredit']));
  });
});

describe('POST /v1/admin/invoices/{id}/settle', () => {
  it('books the rest as money from outside, once for each reference; taken back it is due again', async () => {
    const { post, customer, payments, voidPayment } = await provider();
    const one = await fixture.seedPayable(customer, { number: 'A-1' });
    await fixture.database.pool().query("update invoice set supplier_key = 'other' where id = $1", [one.id]);
    const same = await fixture.seedPayable(customer, { number: 'A-1' });
    expect(await post(`/${one.id}/settle`, money)).toMatchObject({
      status: 200,
      data: { status: 'paid', paid: '110.00', due: '0.00' },
    });
    expect(await post(`/${one.id}/settle`, money)).toMatchObject({ status: 200, data: { paid: '110.00' } });
    // Another invoice with the same number and amount is another.
    expect(await post(`/${same.id}/settle`, money)).toMatchObject({
      status: 409,
      code: 'externalPayment.referenceTaken',
    });
    const { data } = await payments();
    expect(data).toMatchObject([{ reference: 'bank-1', amount: '110.00', toCredit: '0.00' }]);
    await voidPayment(data[0].id);
    expect(await post(`/${one.id}/dispute`, note)).toMatchObject({
      data: { status: 'disputed', due: '110.00' },
    });
    expect(
      await post(`/${one.id}/settle`, { ...money, receivedOn: '2999-01-01', reference: 'b-3' }),
    ).toMatchObject({
      status: 400,
      code: 'externalPayment.notYet',
    });
  });
});
