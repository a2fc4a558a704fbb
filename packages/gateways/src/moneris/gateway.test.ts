/** What the adapter makes of the XML API, in its sandbox. */
import { inspect } from 'node:util';
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { lost } from '../cases/session.ts';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { benchOf, type Opened } from '../cases/test-support.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import type { Charge, OneTimeInput } from '../port/gateway.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

const { harness, open, strategy } = benchOf({ manifest, createGateway }, casesData);

const visa = ['4242', '4242', '4242', '4242'].join('');
const expdate = '3109';
const beside = { expirationDate: '2031-09' };
const hour = 60 * 60_000;

/** A key as the hosted frame makes it. */
async function frameKey(store = 'cases', code?: string, pan = visa): Promise<string> {
  const body = new URLSearchParams({ id: `ht-${store}`, pan, ...(code === undefined ? {} : { cvd: code }) });
  const answer = await fetch(`${harness.sandbox.url}/moneris/HPPtoken/tokenise`, { method: 'POST', body });
  return ((await answer.json()) as { dataKey?: string }).dataKey ?? '';
}

const cad = (minor: bigint) => money(minor, 'CAD');
const charged = async (minor: bigint, over: Partial<Charge> = {}): Promise<Charge> =>
  testCharge({ amount: cad(minor), fee: cad(0n), source: { token: await frameKey(), beside }, ...over });

/** Saves what was entered: a key of the frame, or a number. */
async function save({ setUp }: Opened, entered: string | OneTimeInput) {
  const input = typeof entered === 'string' ? { token: entered, beside } : entered;
  return (await setUp(input, { owner: { email: 'ana@example.test', phone: '4165550100' } })).done;
}
const [byRef, byReplay] = [strategy('ref'), strategy('replay')];

describe('what is sent', () => {
  it('26: text is escaped on its way and back', async () => {
    const opened = open();
    const labels = { invoice: 'A & B <Ltd> Zoë ☃', description: '', customer: '', session: '' };
    await opened.paid(await charged(500n, { labels }));
    expect(opened.bodies.at(-1)).toContain('<cust_id>A &amp; B &lt;Ltd&gt; Zoë ?</cust_id>');
  });
});

describe('a purchase', () => {
  it('16: a code that does not match is told beside the approval', async () => {
    const opened = open();
    const outcome = await opened.paid(
      await charged(500n, { source: { token: await frameKey('cases', '000'), beside } }),
    );
    expect(outcome.state).toMatchObject({ code: 'N' });
    expect(opened.logged.join()).toContain('did not match');
  });

  it('17: an address that matches in part is told', async () => {
    const opened = open({ storeId: 'sim-efraud', sendsAddress: true });
    const token = await frameKey('efraud');
    const owner = { billing: { line1: '123 Main St', postalCode: 'M5V 2T6' } };
    const outcome = await opened.paid(await charged(1_010n, { source: { token, beside }, owner }));
    expect(outcome.state).toMatchObject({ avs: 'A' });
    expect(opened.bodies.at(-1)).toContain(
      '<avs_info><avs_street_number>123</avs_street_number><avs_street_name>Main St</avs_street_name><avs_zipcode>M5V2T6</avs_zipcode></avs_info>',
    );
  });

  it('25: the issuer’s name of the agreement goes from the first use to each later one', async () => {
    const opened = open();
    const saved = await save(opened, await frameKey());
    if (saved?.is !== 'saved') throw new Error('not saved');
    const issuer = saved.method.state['issuer'];
    expect(issuer).toMatch(/^SIM\w+$/);
    expect(opened.bodies[0]).toContain(
      '<cof_info><payment_indicator>C</payment_indicator><payment_information>0</payment_information><issuer_id></issuer_id></cof_info>',
    );
    for (const [initiator, indicator] of [
      ['customer', 'Z'],
      ['merchant', 'U'],
    ] as const) {
      await opened.paid(await charged(500n, { source: { saved: saved.method.state }, initiator }));
      expect(opened.bodies.at(-1)).toContain(
        `<cof_info><payment_indicator>${indicator}</payment_indicator><payment_information>2</payment_information><issuer_id>${issuer}</issuer_id></cof_info>`,
      );
    }
    const other = { ...saved.method.state, issuer: 'SIM000000000001' };
    expect((await opened.pay(await charged(500n, { source: { saved: other } }))).outcome.is).toBe(
      'notAttempted',
    );
  });

  it('a card whose code does not match is not kept', async () => {
    const saved = await save(open(), await frameKey('cases', '000'));
    expect(saved).toMatchObject({
      is: 'refused',
      why: { class: 'fixInput', text: 'Please check the security code' },
    });
    expect(await save(open({ verifiesCards: false }), await frameKey('cases', '000'))).toMatchObject({
      is: 'saved',
    });
  });

  it('27: an amount of whole dollars has two decimals', async () => {
    const opened = open();
    await opened.paid(await charged(500n));
    expect(opened.bodies.at(-1)).toContain('<amount>5.00</amount>');
  });
});

describe('a number that is posted to us', () => {
  const typed = (number = visa, code = '123') => {
    const buffers = [number, code].map((text) => new TextEncoder().encode(text));
    const [first, second] = buffers.map((bytes) => secretBytes(bytes));
    if (first === undefined || second === undefined) throw new Error('two');
    return { buffers, input: { secrets: { number: first, code: second }, beside } };
  };

  it('32: stands in the request that makes a key of it, its code in the purchase, and neither stays', async () => {
    const opened = open();
    const { buffers, input } = typed();
    const { outcome, kept } = await opened.pay(await charged(500n, { source: input }));
    expect(outcome.is).toBe('succeeded');
    expect(opened.bodies.map((body) => /<(res_\w+)>/.exec(body)?.[1])).toEqual([
      'res_temp_add',
      'res_purchase_cc',
    ]);
    expect(opened.bodies.map((body) => body.includes(visa))).toEqual([true, false]);
    expect(opened.bodies[1]).toContain(
      '<cvd_info><cvd_indicator>1</cvd_indicator><cvd_value>123</cvd_value></cvd_info>',
    );
    expect(buffers.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    expect(inspect({ outcome, kept, logged: opened.logged }, { depth: 5 })).not.toMatch(/4242|123"/);
    // Sent again, it is the same without its code.
    await opened.gateway.lookup(lost(await charged(500n)), kept, byReplay);
    expect(opened.bodies[2]).not.toContain('cvd_info');
  });

  it('is saved behind a key, after the issuer was asked with its code', async () => {
    const opened = open();
    expect(await save(opened, typed().input)).toMatchObject({
      is: 'saved',
      method: { show: { last4: '4242', expMonth: '09', expYear: '2031' } },
    });
    expect(opened.bodies.map((body) => /<(res_\w+)>/.exec(body)?.[1])).toEqual([
      'res_temp_add',
      'res_card_verification_cc',
      'res_add_token',
    ]);
    expect(opened.bodies.map((body) => body.includes('<cvd_value>123</cvd_value>'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([
    ['a wrong check digit', `${visa.slice(0, -1)}1`, '477/14'],
    ['markup', '4242</pan><pan>4242', 'number'],
  ])('4: with %s is refused before anything is taken, and overwritten', async (_what, number, code) => {
    const opened = open();
    const { buffers, input } = typed(number);
    const charge = await charged(500n, { source: input });
    expect((await opened.pay(charge)).outcome).toMatchObject({
      is: 'declined',
      why: { code, class: 'fixInput' },
    });
    expect(buffers.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    expect(opened.bodies.join()).not.toContain('res_purchase_cc');
  });

  it.each([
    [
      'no answer',
      () => new Promise<Response>((_, refuse) => setTimeout(() => refuse(new Error('late')), 300)),
    ],
    ['half an answer', async () => new Response('<res')],
  ])('is not charged where no key came of it: %s', async (_what, answer) => {
    const opened = open({}, { timeoutMs: 300, fetch: answer });
    const { buffers, input } = typed();
    expect((await opened.pay(await charged(500n, { source: input }))).outcome).toMatchObject({
      is: 'notAttempted',
      why: 'unreachable',
    });
    expect(buffers.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  });
});

describe('refunds and voids', () => {
  it('19: another transaction number refunds nothing', async () => {
    const { gateway } = open();
    const charge = await charged(4_000n);
    const outcome = await open().paid(charge);
    const wrong = { ...outcome, state: { ...outcome.state, transaction: '1-0_1' } };
    expect(await gateway.refund(testRefund(charge, wrong))).toMatchObject({
      is: 'notAttempted',
      why: 'invalid',
    });
  });

  it('21: once the batch is closed the adapter refunds what it cannot void', async () => {
    const opened = open();
    const charge = await charged(4_000n);
    const outcome = await opened.paid(charge);
    await harness.advance(24 * hour);
    const refund = testRefund(charge, outcome);
    expect(await opened.gateway.refund(refund)).toMatchObject({ is: 'succeeded', captured: cad(4_000n) });
    expect(opened.bodies.slice(-2).map((body) => /<(purchasecorrection|refund)>/.exec(body)?.[1])).toEqual([
      'purchasecorrection',
      'refund',
    ]);
    const { refunds } = await harness.control('GET', `charges?reference=${refund.ref}`);
    expect(refunds).toHaveLength(1);
  });
});

describe('finding out', () => {
  it('22: what was recorded and not answered is found by a status check, and taken once', async () => {
    await harness.fault({ operation: 'charge', mode: 'timeout-after' });
    const charge = await charged(4_000n);
    const { outcome, kept } = await open({}, { timeoutMs: 300 }).pay(charge);
    expect(outcome.is).toBe('unknown');
    const found = await open().gateway.lookup(lost(charge), kept, byRef);
    expect(found).toMatchObject({ is: 'succeeded', captured: cad(4_000n) });
    expect(await harness.captures(charge.ref)).toHaveLength(1);
  });

  it('23: what never arrived stays unknown, and is taken by the same order id once more', async () => {
    await harness.fault({ operation: 'charge', mode: 'timeout-before' });
    const charge = await charged(4_000n);
    const { kept } = await open({}, { timeoutMs: 300 }).pay(charge);
    const opened = open();
    const { gateway } = opened;
    expect(await gateway.lookup(lost(charge), kept, byRef)).toEqual({ is: 'absent', proven: false });
    expect(await gateway.lookup(lost(charge), kept, byReplay)).toMatchObject({ is: 'succeeded' });
    expect(await harness.captures(charge.ref)).toHaveLength(1);
    expect(new Set(opened.bodies.map((body) => /<order_id>(.*?)</.exec(body)?.[1]))).toEqual(
      new Set([charge.ref]),
    );
  });

  it('29: a late original is not taken twice: the second is refused, and a person decides', async () => {
    await harness.fault({ operation: 'charge', mode: 'late', ms: 0 });
    const charge = await charged(4_000n);
    const { kept } = await open().pay(charge);
    const { gateway } = open();
    expect(await gateway.lookup(lost(charge), kept, byRef)).toMatchObject({ is: 'absent', proven: false });
    await expect.poll(() => harness.captures(charge.ref)).toHaveLength(1);
    expect(await gateway.lookup(lost(charge), kept, byReplay)).toMatchObject({
      is: 'unknown',
      needsPerson: true,
    });
    expect(await harness.captures(charge.ref)).toHaveLength(1);
  });

  it('30: a status check without an answer tells nothing', async () => {
    const charge = await charged(4_000n);
    const { kept } = await open().pay(charge);
    await harness.fault({ operation: 'find', mode: 'timeout-before' });
    expect((await open({}, { timeoutMs: 300 }).gateway.lookup(lost(charge), kept, byRef)).is).toBe(
      'inconclusive',
    );
    expect(byRef).toMatchObject({
      maxAttempts: 1,
      validMs: 120_000,
      absenceProvenMs: 'never',
      mayCharge: false,
    });
  });

  it('31: a second status check is refused, and one after two minutes', async () => {
    const { gateway } = open();
    const [first, second] = [await charged(4_000n), await charged(4_000n)];
    const kept = { key: 'ot-any', expiry: expdate };
    for (const one of [first, second]) await open().paid(one);
    expect((await gateway.lookup(lost(first), kept, byRef)).is).toBe('succeeded');
    expect((await gateway.lookup(lost(first), kept, byRef)).is).toBe('inconclusive');
    await harness.advance(2 * 60_000 + 1_000);
    expect((await gateway.lookup(lost(second), kept, byRef)).is).toBe('inconclusive');
  });

  it('a one-time key of which nothing was kept was never sent', async () => {
    const { gateway, sent } = open();
    expect(await gateway.lookup(lost(await charged(500n)), undefined, byRef)).toEqual({
      is: 'absent',
      proven: true,
    });
    expect(sent).toEqual([]);
  });

  it('nothing is sent once the attempt has ended', async () => {
    const { gateway, sent } = open();
    const outcome = await gateway.charge(await charged(500n), () => Promise.reject(new Error('ended')));
    expect(outcome.is).toBe('notAttempted');
    expect(sent).toEqual([]);
  });

  it('a repeat that was not sent on says nothing of the first request', async () => {
    const charge = await charged(4_000n);
    const kept = { key: 'ot-gone', expiry: expdate };
    const { gateway } = open();
    const found = await gateway.lookup(lost(charge), kept, byReplay);
    expect(found).toMatchObject({ is: 'inconclusive', sent: true });
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    const nowhere = open({}, { fetch: refuse });
    expect(await nowhere.gateway.lookup(lost(charge), kept, byReplay)).not.toHaveProperty('sent');
  });
});

describe('what is told', () => {
  it('28: no log and no outcome shows a number, a code or a key of the account', async () => {
    const opened = open({ apiToken: 'sim-secret' });
    const { outcome } = await opened.pay(await charged(500n));
    await save(opened, await frameKey());
    const shown = JSON.stringify({ outcome, logged: opened.logged });
    expect(shown).toContain('API token mismatch');
    expect(shown).not.toMatch(/sim-secret|4242/);
  });
});
