/** The checklist of the XML API, by plain requests as its documentation has them. */
import { sandboxForTests } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';

const harness = sandboxForTests('moneris');

const servlet = '/moneris/gateway2/servlet/MpgRequest';
const visa = ['4242', '4242', '4242', '4242'].join('');
const masterCard = ['5454', '5454', '5454', '5454'].join('');
const amex = ['3739', '5319', '2351', '004'].join('');
const expdate = '3109';

// ---- Plain requests ----

/** An answer's elements by name. */
async function post(body: string): Promise<Readonly<Record<string, string>>> {
  const { status, text } = await harness.ask('POST', servlet, body);
  expect(status).toBe(200);
  return Object.fromEntries(
    [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name, value]),
  );
}
const request = (transaction: string, store = 'sim-plain', token = 'sim-token') =>
  post(
    `<?xml version="1.0" encoding="iso-8859-1"?><request><store_id>${store}</store_id><api_token>${token}</api_token>${transaction}</request>`,
  );
const added = (more = '', pan = visa) =>
  `<res_add_cc>${more}<pan>${pan}</pan><expdate>${expdate}</expdate><crypt_type>7</crypt_type></res_add_cc>`;
const keyOf = async (pan = visa, store?: string) => (await request(added('', pan), store))['DataKey'] ?? '';
const bought = (key: string, order: string, amount: string, more = '') =>
  `<res_purchase_cc><data_key>${key}</data_key><order_id>${order}</order_id><amount>${amount}</amount><crypt_type>7</crypt_type>${more}</res_purchase_cc>`;
let orders = 0;
const newOrder = () => {
  orders += 1;
  return `plain-${orders}`;
};

describe('the vault', () => {
  it('1: keeps a card behind a key of 25 characters', async () => {
    const answer = await request(added());
    expect(answer).toMatchObject({
      ResponseCode: '001',
      ResSuccess: 'true',
      Complete: 'true',
      masked_pan: '4242***4242',
      expdate,
    });
    expect(answer['DataKey']).toMatch(/^[A-Za-z0-9]{25}$/);
  });

  it('2: keeps the same card again behind another key', async () => {
    expect(await keyOf()).not.toBe(await keyOf());
  });

  it('3: echoes phone and e-mail', async () => {
    const more = '<phone>4165550100</phone><email>ana@example.test</email>';
    expect(await request(added(more))).toMatchObject({ phone: '4165550100', email: 'ana@example.test' });
  });

  it('4: refuses a number with a wrong check digit', async () => {
    const answer = await request(added('', `${visa.slice(0, -1)}1`));
    expect(answer).toMatchObject({ ResponseCode: '477', ResSuccess: 'false', DataKey: 'null' });
  });
  it('5: wrong keys are answered 200 without a code', async () => {
    const answer = await request(added(), 'sim-plain', 'nobody');
    expect(answer).toMatchObject({ ResponseCode: 'null', Complete: 'false', Message: 'API token mismatch' });
  });

  it('6, 8: reads a card without its number, and no card that was removed', async () => {
    const key = await keyOf();
    const read = `<res_lookup_masked><data_key>${key}</data_key></res_lookup_masked>`;
    expect(await request(read)).toMatchObject({ ResponseCode: '001', masked_pan: '4242***4242' });
    expect(await request(`<res_delete><data_key>${key}</data_key></res_delete>`)).toMatchObject({
      ResponseCode: '001',
    });
    expect(await request(read)).toMatchObject({ ResponseCode: '983', ResSuccess: 'false' });
    // 8
    expect(await request(bought(key, newOrder(), '40.00'))).toMatchObject({
      ResponseCode: 'null',
      Complete: 'false',
    });
  });

  it('7: changes the expiry', async () => {
    const key = await keyOf();
    await request(
      `<res_update_cc><data_key>${key}</data_key><expdate>3212</expdate><crypt_type>7</crypt_type></res_update_cc>`,
    );
    const read = `<res_lookup_masked><data_key>${key}</data_key></res_lookup_masked>`;
    expect(await request(read)).toMatchObject({ expdate: '3212' });
  });
  it('26: text is escaped on its way and back', async () => {
    expect(await request(added('<cust_id>A &amp; B &lt;Ltd&gt;</cust_id>'))).toMatchObject({
      cust_id: 'A &amp; B &lt;Ltd&gt;',
    });
  });

  it('33: the keys that the provider publishes for everybody are refused', async () => {
    for (const [store, token] of [
      ['store5', 'yesguy'],
      ['moneris', 'hurgle'],
      ['store5', 'sim-token'],
    ])
      expect(await request(added(), store, token)).toMatchObject({ Message: 'API token mismatch' });
  });

  it.each([
    ['elements in another order', added('<phone>1</phone><cust_id>1</cust_id>')],
    ['an element that does not exist', added('<name>Ana</name>')],
    ['a missing one', `<res_add_cc><pan>${visa}</pan><crypt_type>7</crypt_type></res_add_cc>`],
    ['two transactions', `${added()}${added()}`],
  ])('refuses %s', async (_what, transaction) => {
    expect(await request(transaction)).toMatchObject({
      ReceiptId: 'Global Error Receipt',
      ResponseCode: 'null',
    });
  });
});

describe('a purchase', () => {
  it('9: is approved under its order id', async () => {
    const order = newOrder();
    expect(await request(bought(await keyOf(), order, '40.00'))).toMatchObject({
      ResponseCode: '027',
      Complete: 'true',
      TransAmount: '40.00',
      TransType: '00',
      ReceiptId: order,
    });
  });

  it('10: the same order id again is refused without its result, and takes nothing', async () => {
    const order = newOrder();
    const key = await keyOf();
    await request(bought(key, order, '40.00'));
    const again = await request(bought(key, order, '40.00'));
    expect(again).toMatchObject({
      ResponseCode: 'null',
      Complete: 'false',
      ResSuccess: 'true',
      masked_pan: '4242***4242',
    });
    expect(again['Message']).toContain('duplicate order id');
    expect(await harness.captures(order)).toHaveLength(1);
  });

  it.each([
    ['1.05', visa, '481', '05'],
    ['1.54', visa, '482', '54'],
    ['1.50', visa, '421', '57'],
    ['1.08', visa, '004', '08'],
    ['1.51', visa, '481', '51'],
    ['55.00', visa, '421', '41'],
    ['125.00', visa, '482', '54'],
    ['140.05', visa, '027', '01'],
    ['2.05', masterCard, '481', '05'],
    ['2.51', masterCard, '027', '01'],
    ['5.00', amex, '438', '50'],
    ['6.00', amex, '027', '01'],
  ])('11-15: %s is answered by the test amounts', async (amount, pan, code, iso) => {
    const answer = await request(bought(await keyOf(pan), newOrder(), amount));
    expect(answer).toMatchObject({ ResponseCode: code, ISO: iso, Complete: 'true' });
    expect(answer['AuthCode'] === '000000').toBe(Number(code) >= 50);
  });
  it('16: a code that does not match is told beside the approval', async () => {
    const code = '<cvd_info><cvd_indicator>1</cvd_indicator><cvd_value>321</cvd_value></cvd_info>';
    const key = await keyOf(visa, 'sim-efraud');
    expect(await request(bought(key, newOrder(), '10.32', code), 'sim-efraud')).toMatchObject({
      ResponseCode: '027',
      CvdResultCode: '1N',
    });
  });

  it('32: a temporary key pays with its expiry beside it, and no longer than it lives', async () => {
    const temporary = async () =>
      (
        await request(
          `<res_temp_add><pan>${visa}</pan><expdate>${expdate}</expdate><crypt_type>7</crypt_type><duration>900</duration></res_temp_add>`,
        )
      )['DataKey'] ?? '';
    const withExpiry = `<expdate>${expdate}</expdate>`;
    const [key, late] = [await temporary(), await temporary()];
    expect(key).toMatch(/^ot-\w{25}$/);
    expect(await request(bought(key, newOrder(), '5.00'))).toMatchObject({ Complete: 'false' });
    const inOrder = (one: string) => bought(one, newOrder(), '5.00', withExpiry);
    expect(await request(inOrder(key))).toMatchObject({ ResponseCode: '027' });
    await harness.advance(15 * 60_000 + 1_000);
    expect(await request(inOrder(late))).toMatchObject({ ResponseCode: 'null', Complete: 'false' });
  });
});

describe('refunds and voids', () => {
  const refundOf = (order: string, transaction: string, amount: string) =>
    `<refund><order_id>${order}</order_id><amount>${amount}</amount><txn_number>${transaction}</txn_number><crypt_type>7</crypt_type></refund>`;
  const voidOf = (order: string, transaction: string) =>
    `<purchasecorrection><order_id>${order}</order_id><txn_number>${transaction}</txn_number><crypt_type>7</crypt_type></purchasecorrection>`;
  const buy = async () => {
    const order = newOrder();
    const { TransID: transaction = '' } = await request(bought(await keyOf(), order, '40.00'));
    return { order, transaction };
  };
  const refused = { ResponseCode: 'null', Complete: 'false' };

  it('18: no more than was taken goes back', async () => {
    const { order, transaction } = await buy();
    for (const amount of ['10.00', '30.00'])
      expect(await request(refundOf(order, transaction, amount))).toMatchObject({
        ResponseCode: '027',
        TransAmount: amount,
      });
    expect(await request(refundOf(order, transaction, '0.01'))).toMatchObject(refused);
  });

  it('19: another transaction number refunds nothing', async () => {
    const { order } = await buy();
    expect(await request(refundOf(order, '1-0_1', '1.00'))).toMatchObject(refused);
  });

  it('20: is voided once, on the same day', async () => {
    const { order, transaction } = await buy();
    expect(await request(voidOf(order, transaction))).toMatchObject({ ResponseCode: '027', TransType: '11' });
    expect(await request(voidOf(order, transaction))).toMatchObject(refused);
  });
});
