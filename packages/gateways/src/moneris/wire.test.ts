import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { lendXml } from '../kit/xml.ts';
import type { Outcome } from '../port/gateway.ts';
import { readAnswer } from './frame-answer.ts';
import { maskedNode, outcomeOf, readReceipt, requestOf, verdictOf } from './wire.ts';

const charge = testCharge({ amount: money(500n, 'CAD'), fee: money(0n, 'CAD') });
const kept = { key: 'ot-1', expiry: '3109' };

/** An approval unless said otherwise. */
const receipt = (fields: Readonly<Record<string, string>> = {}): string =>
  `<?xml version="1.0"?><response><receipt>${Object.entries({
    ReceiptId: charge.ref,
    ResponseCode: '027',
    ISO: 'null',
    Complete: 'true',
    TransAmount: '5.00',
    TransID: '1-0_1',
    TimedOut: 'false',
    ...fields,
  })
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</receipt></response>`;

/** As the adapter reads it: no receipt is no answer. */
function outcomeFrom(body: string): Outcome {
  const reading = readReceipt(Buffer.from(body, 'latin1'));
  return reading.is === 'fault'
    ? { is: 'unknown', evidence: reading.detail, state: kept }
    : outcomeOf(reading.receipt, charge, kept);
}

describe('an answer to a purchase', () => {
  it('that is whole is an approval, with what refunds need', () => {
    expect(outcomeFrom(receipt())).toMatchObject({
      is: 'succeeded',
      remote: charge.ref,
      captured: money(500n, 'CAD'),
      state: { order: charge.ref, transaction: '1-0_1' },
    });
  });

  it('reports what was captured where that is less', () => {
    expect(outcomeFrom(receipt({ TransAmount: '2.50' }))).toMatchObject({ captured: money(250n, 'CAD') });
  });

  it.each([
    ['nothing', ''],
    ['an HTML page', '<html><body>Service unavailable</body></html>'],
    ['half an answer', receipt().slice(0, 180)],
    ['entities of its own', `<!DOCTYPE r [<!ENTITY a "027">]>${receipt({ ResponseCode: '&a;' }).slice(21)}`],
    ['no receipt', '<response></response>'],
    ['an empty code', receipt({ ResponseCode: '' })],
    ['a long code', receipt({ ResponseCode: '0027' })],
    [
      'a receipt for want of one',
      receipt({ ReceiptId: 'Global Error Receipt', ResponseCode: 'null', Complete: 'false' }),
    ],
    ['a time-out', receipt({ TimedOut: 'true' })],
    ['the code of a time-out', receipt({ ResponseCode: '113' })],
    ['an approval that is not complete', receipt({ Complete: 'false' })],
    ['an approval of another order', receipt({ ReceiptId: '1' })],
    ['an approval without an amount', receipt({ TransAmount: 'null' })],
    ['an approval without a transaction', receipt({ TransID: 'null' })],
    ['no code, and no word that it is not complete', receipt({ ResponseCode: 'null', Complete: 'null' })],
  ])('24: %s leaves a payment unknown, with what was kept', (_what, body) => {
    expect(outcomeFrom(body)).toMatchObject({ is: 'unknown', state: kept });
  });

  it('10: that refuses a known order id asks for a person', () => {
    const Message = 'The transaction was not sent to the host because of a duplicate order id';
    expect(outcomeFrom(receipt({ ResponseCode: 'null', Complete: 'false', Message }))).toMatchObject({
      is: 'unknown',
      needsPerson: true,
    });
  });

  it.each([
    ['API token mismatch', 'config'],
    ['Invalid store id', 'config'],
    ['No Pre-auth corresponds to the store Id and order Id and transaction Id entered', 'invalid'],
    ['Cancelled: Transaction type not supported', 'invalid'],
  ])('5: without a code, not sent on: %s', (Message, why) => {
    expect(outcomeFrom(receipt({ ResponseCode: 'null', Complete: 'false', Message }))).toMatchObject({
      is: 'notAttempted',
      why,
    });
  });

  it('of a key that the vault does not know says so', () => {
    expect(outcomeFrom(receipt({ ResponseCode: '983' }))).toMatchObject({
      is: 'notAttempted',
      why: 'methodGone',
    });
  });

  it.each([
    ['050', '06', 'otherMethod', undefined],
    ['055', '40', 'otherMethod', undefined],
    ['078', '09', 'retryLater', undefined],
    ['421', '43', 'otherMethod', true],
    ['476', '96', 'retryLater', undefined],
    ['477', '14', 'fixInput', undefined],
    ['481', '51', 'retryLater', undefined],
    ['481', '75', 'otherMethod', undefined],
    ['482', '54', 'fixInput', undefined],
    ['487', 'null', 'fixInput', undefined],
    ['599', 'null', 'otherMethod', undefined],
  ])('11-13: %s/%s is a decline, %s', (ResponseCode, ISO, kind, final) => {
    const outcome = outcomeFrom(receipt({ ResponseCode, ISO }));
    if (outcome.is !== 'declined') throw new Error(outcome.is);
    const { why } = outcome;
    expect([why.class, why.final]).toEqual([kind, final]);
    expect(why.code).toBe(ISO === 'null' ? ResponseCode : `${ResponseCode}/${ISO}`);
    expect(why.text).not.toMatch(/lost|stolen|pick/i);
  });
});

describe('letters', () => {
  it('are read in either encoding', () => {
    for (const encoding of ['latin1', 'utf8'] as const) {
      const reading = readReceipt(
        Buffer.from(receipt({ Message: 'REFUSÉE', ResponseCode: '481' }), encoding),
      );
      if (reading.is !== 'receipt') throw new Error(reading.detail);
      expect(verdictOf(reading.receipt).is).toBe('declined');
      expect(reading.receipt.of('Message')).toBe('REFUSÉE');
    }
  });

  it('are sent as ISO-8859-1, without what that cannot carry', async () => {
    const request = requestOf({ storeId: 's', apiToken: 't' }, maskedNode('é☃Ł<'));
    let lent = new Uint8Array();
    const text = await lendXml(request, async (bytes) => {
      lent = bytes;
      return Buffer.from(bytes).toString('latin1');
    });
    // There may be a number in it.
    expect(lent.length > 0 && lent.every((byte) => byte === 0)).toBe(true);
    expect(text).toBe(
      '<?xml version="1.0" encoding="iso-8859-1"?><request><store_id>s</store_id><api_token>t</api_token><res_lookup_masked><data_key>é??&lt;</data_key></res_lookup_masked></request>',
    );
  });
});

describe('what the hosted frame says', () => {
  it.each([
    ['{"responseCode":["001"],"dataKey":"ot-1","bin":"424242"}', { key: 'ot-1' }],
    ['{"responseCode":"001","dataKey":"ot-1"}', { key: 'ot-1' }],
    ['{"responseCode":["943"]}', { error: 'Please check the card number' }],
    ['{"responseCode":["945"],"dataKey":"ot-1"}', { error: 'Please check the security code' }],
    ['{"responseCode":["001"]}', { error: expect.stringContaining('not accepted') }],
    ['{"responseCode":["941"]}', { error: expect.stringContaining('not accepted') }],
    ['{"height":120}', undefined],
    ['{"responseCode":', undefined],
    ['000', undefined],
    [{ responseCode: ['001'], dataKey: 'ot-1' }, undefined],
  ])('%j', (data, said) => {
    expect(readAnswer(data)).toEqual(said);
  });
});
