import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import { lendXml } from '../kit/xml.ts';
import type { Charge, Outcome } from '../port/gateway.ts';
import { sandboxKeys } from './demo.ts';
import type { IppaySettings } from './manifest.ts';
import { chargeRequest, formToken, isAnswerSigned, outcomeOf, readReply, type Token } from './wire.ts';

const charge = testCharge({ amount: money(4_250n, 'USD'), fee: money(50n, 'USD') });
const token: Token = { token: '4F2A9C1D7B3E1111', kind: 'card' };
const settings = sandboxKeys('cases') as unknown as IppaySettings;

const xml = (fields: Readonly<Record<string, string>>, root = 'ippayResponse') =>
  `<${root}>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</${root}>`;
const approved = {
  TransactionID: charge.ref,
  ActionCode: '000',
  Approval: 'TEST41',
  ResponseText: 'APPROVED',
};
function outcomeFrom(body: string, of: Token = token): Outcome | { is: 'fault' } {
  const reading = readReply(Buffer.from(body));
  return reading.is === 'reply' ? outcomeOf(reading.reply, charge, of) : { is: 'fault' };
}

describe('an answer', () => {
  it.each(['ippayResponse', 'IPPayResponse', 'JetPayResponse'])(
    '8: is read whatever its root: %s',
    (root) => {
      expect(outcomeFrom(xml(approved, root))).toMatchObject({
        is: 'succeeded',
        captured: charge.amount,
        state: { token: token.token, kind: 'card', approval: 'TEST41' },
      });
    },
  );

  it('39: is no success by another code or by its text', () => {
    for (const ActionCode of ['400', '777', '00', '0000'])
      expect(outcomeFrom(xml({ ...approved, ActionCode }))).toMatchObject({ is: 'unknown' });
  });

  it.each([
    ['of another id', xml({ ...approved, TransactionID: 'OTHER' })],
    ['without an approval', xml({ ...approved, Approval: '' })],
    ['that it was sent before', xml({ ActionCode: '094', ErrMsg: 'Duplicate' })],
    ['that the issuer is away', xml({ ActionCode: '091', ResponseText: 'ISSUER UNAVAILABLE' })],
    ['that the id is not known', xml({ ActionCode: '025', ErrMsg: 'Not found' })],
  ])('%s leaves it unknown', (_, body) => {
    expect(outcomeFrom(body)).toMatchObject({ is: 'unknown', state: { token: token.token } });
  });

  it.each([
    ['an HTML page', '<html><body>Request blocked</body></html>'],
    ['nothing', ''],
    ['half of it', xml(approved).slice(0, 60)],
    ['entities', `<!DOCTYPE r [<!ENTITY a "000">]>${xml({ ...approved, ActionCode: '&a;' })}`],
    ['neither code nor message', xml({ ResponseText: 'APPROVED' })],
  ])('25: is none: %s', (_, body) => {
    expect(outcomeFrom(body)).toEqual({ is: 'fault' });
  });

  it.each([
    ['an unknown terminal', { ActionCode: '996', ErrMsg: 'Terminal ID not found' }, 'config'],
    ['a message that is not understood', { ErrMsg: 'Malformed XML' }, 'config'],
    ['a format that is refused', { ActionCode: '030', ErrMsg: 'Invalid' }, 'invalid'],
  ])('2, 24: %s is no verdict on the card', (_, fields, why) => {
    expect(outcomeFrom(xml(fields))).toMatchObject({ is: 'notAttempted', why });
  });

  it.each([
    ['005', 'otherMethod', 'Your card was declined', undefined],
    ['043', 'otherMethod', 'Your card was declined', true],
    ['054', 'fixInput', 'Your credit card has expired. Please add a new one and try again', true],
    ['806', 'fixInput', 'Please check the security code.', true],
    ['923', 'fixInput', 'Please check the routing and account number.', true],
  ])('10, 12: %s is a decline in words of ours', (code, kind, text, final) => {
    const outcome = outcomeFrom(xml({ ActionCode: code, ResponseText: 'DECLINED' }));
    expect(outcome).toMatchObject({ is: 'declined', why: { code, class: kind, text } });
    expect(outcome.is === 'declined' && outcome.why.final).toBe(final);
  });

  it('19: of a check is on its way, not money', () => {
    const accepted = xml({ ...approved, Approval: '000000', ResponseText: 'CHECK ACCEPTED' });
    expect(outcomeFrom(accepted, { ...token, kind: 'bank' })).toMatchObject({
      is: 'pending',
      because: 'bank',
    });
  });
});

describe('a request', () => {
  const written = (one: Partial<Charge>, of: Token) =>
    lendXml(chargeRequest(settings, { ...charge, ...one }, of), async (bytes) =>
      Buffer.from(bytes).toString('latin1'),
    );

  it('8: has whole cents, our reference, and says who asks', async () => {
    const text = await written(
      { initiator: 'merchant', labels: { ...charge.labels, invoice: 'A & B' } },
      token,
    );
    expect(text).toContain('<TotalAmount>4250</TotalAmount><FeeAmount>50</FeeAmount>');
    expect(text).toContain(`<TransactionID>${charge.ref}</TransactionID>`);
    expect(text).toContain('<Origin>RECURRING</Origin><OrderNumber>A &amp; B</OrderNumber>');
    expect(await written({}, token)).toContain('<Origin>INTERNET</Origin>');
  });

  it('of an account goes to its own terminal, with its holder', async () => {
    const text = await written({}, { token: 'J4K1M8E6789', kind: 'bank', holder: 'Ada Example' });
    expect(text).toContain('<TransactionType>CHECK</TransactionType><TerminalID>Acases</TerminalID>');
    expect(text).toContain('<ACH Type="CHECKING" SEC="WEB"><Token>J4K1M8E6789</Token><CheckNumber>');
    expect(text).toContain('<CardName>Ada Example</CardName>');
  });
});

it('hashes are those of the published integrations', () => {
  expect(formToken('30000000012345', 's3cr3tKEY')).toBe('07d8b59d0d18a2fca3d5f3b56fa3b7dc025f5af9');
  const signed = {
    transaction: 'A20260115030405999',
    authCode: 'TEST42',
    returnToken: '3c98a9345f9b73c3aa5e708d3ec535c396cf837e',
  };
  expect(isAnswerSigned(signed, 's3cr3tKEY')).toBe(true);
  expect(isAnswerSigned({ ...signed, authCode: '' }, 's3cr3tKEY')).toBe(false);
  expect(isAnswerSigned({ ...signed, returnToken: '' }, 's3cr3tKEY')).toBe(false);
});
