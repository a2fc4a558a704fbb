/** The checklist of the protocol by plain requests, as the provider's documentation has them. */
import { createHash } from 'node:crypto';
import { sandboxForTests } from '@counterfoil/sandbox/test-support.ts';
import { describe, expect, it } from 'vitest';
import type { Action } from '../port/gateway.ts';
import { answerPage } from './demo.ts';

const harness = sandboxForTests('ippay');

const visa = ['4111', '1111', '1111', '1111'].join('');
type Fields = Readonly<Record<string, string>>;
const elements = (fields: Fields) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');

const post = (path: string, body: string) =>
  harness.ask('POST', `/ippay/${path}`, body, { 'content-type': 'text/xml' });
const read = (text: string): Fields =>
  Object.fromEntries([...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name, value]) => [name, value]));
async function ask(type: string, fields: Fields = {}, more = ''): Promise<Fields & { root?: string }> {
  const all = { TransactionType: type, TerminalID: 'TESTTERMINAL', ...fields };
  const { text, status } = await post('ippay', `<ippay>${elements(all)}${more}</ippay>`);
  expect(status).toBe(200);
  return { ...read(text), root: /^<(\w+)/.exec(text)?.[1] ?? '' };
}
const card = { CardNum: visa, CardExpMonth: '09', CardExpYear: '31' };
const tokenOf = async (fields: Fields = card) => (await ask('TOKENIZE', fields))['Token'] ?? '';
const bankToken = (account = '12345') => tokenOf({ ABA: '111000025', AccountNumber: account });
let count = 0;
const newId = () => {
  count += 1;
  return `PLAIN${String(count).padStart(13, '0')}`;
};
const sale = async (TotalAmount: string, more: Fields = {}) =>
  ask('SALE', { Token: await tokenOf(), TransactionID: newId(), TotalAmount, ...more });
const check = (token: string, more: Fields = {}, attributes = 'Type="CHECKING" SEC="WEB"') =>
  ask(
    'CHECK',
    {
      TerminalID: 'TESTACHTERM',
      CardName: 'Ada Example',
      TotalAmount: '4250',
      TransactionID: newId(),
      ...more,
    },
    `<ACH ${attributes}><Token>${token}</Token><CheckNumber>1042</CheckNumber></ACH>`,
  );

describe('terminals and tokens', () => {
  it('1: a ping is answered', async () => {
    expect(await ask('PING')).toMatchObject({ ActionCode: '000', ResponseText: 'PING' });
  });

  it('2: an unknown terminal is told with a message, and a wrong password too', async () => {
    expect(await ask('PING', { TerminalID: '0nobody' })).toMatchObject({
      ActionCode: '996',
      ErrMsg: expect.stringMatching(/./),
    });
    expect(await ask('PING', { Password: 'wrong' })).toMatchObject({ ActionCode: '003' });
  });

  it('3, 5: a card is a token of its own length and ends, and the same again is the same', async () => {
    const answer = await ask('TOKENIZE', card);
    expect(answer).toMatchObject({ root: 'IPPayResponse', ActionCode: '000', ResponseText: 'TOKENIZED' });
    expect(answer['Token']).toMatch(/^4(?=\w*[A-Z])\w{11}1111$/);
    expect(await tokenOf()).toBe(answer['Token']);
  });

  it.each([
    ['a number with a wrong check digit', { ...card, CardNum: `${visa.slice(0, -1)}2` }, '900'],
    ['a routing number of eight digits', { ABA: '12345678', AccountNumber: '12345' }, '923'],
  ])('4, 20: %s is refused', async (_, fields, code) => {
    expect(await ask('TOKENIZE', fields)).toMatchObject({ ActionCode: code });
  });

  it('6: a bank account is a token with its last four', async () => {
    expect(await bankToken()).toMatch(/2345$/);
  });

  it('7: a token keeps its name with another expiry', async () => {
    const token = await tokenOf({ ...card, CardNum: ['4000', '3000', '2000', '1000'].join('') });
    const changed = { Token: token, CardExpMonth: '12', CardExpYear: '33' };
    expect(await ask('TOKENIZE', changed)).toMatchObject({ ActionCode: '000', Token: token });
  });
});

describe('payments of cards', () => {
  it('8: a sale is approved under our id', async () => {
    const id = newId();
    const answer = await sale('4250', { TransactionID: id });
    expect(answer).toMatchObject({ ActionCode: '000', ResponseText: 'APPROVED', TransactionID: id });
    expect(answer['Approval']).toMatch(/^TEST\d\d$/);
  });

  it('9: without an id the gateway makes one', async () => {
    const answer = await ask('SALE', { Token: await tokenOf(), TotalAmount: '4250' });
    expect(answer['TransactionID']).toMatch(/^[A-Z]\d{17}$/);
  });

  it.each([
    ['1005', '1005', '005'],
    ['1051', '1051', '051'],
    ['1054', '1054', '054'],
    ['1008', '1008', '000'],
  ])('10-13: %s is answered by its last digits', async (_, amount, code) => {
    const answer = await sale(amount);
    expect(answer['ActionCode']).toBe(code);
    expect(answer['Approval'] === undefined).toBe(code !== '000');
  });

  it('14: a card past its month is expired', async () => {
    const number = ['5454', '5454', '5454', '5454'].join('');
    const token = await tokenOf({ CardNum: number, CardExpMonth: '01', CardExpYear: '20' });
    expect(await sale('4250', { Token: token })).toMatchObject({ ActionCode: '054' });
  });

  it('15: an id that was used is refused, and takes nothing', async () => {
    const id = newId();
    await sale('4250', { TransactionID: id });
    expect(await sale('4250', { TransactionID: id })).toMatchObject({ ActionCode: '094' });
    expect(await harness.captures(id)).toHaveLength(1);
  });

  it('21: a void undoes a sale of the day once', async () => {
    const token = await tokenOf();
    const id = newId();
    const { Approval = '' } = await sale('4250', { TransactionID: id });
    const voided = { TransactionID: id, Approval, TotalAmount: '4250', Token: token };
    expect(await ask('VOID', voided)).toMatchObject({
      ActionCode: '000',
      ResponseText: 'VOID PROCESSED',
      Approval,
    });
    expect(await ask('VOID', voided)).toMatchObject({ ActionCode: '021' });
    expect(await ask('ENQ', { TransactionID: id })).toMatchObject({ ResponseText: 'VOID PROCESSED' });
  });

  it('22: a credit stands alone', async () => {
    const credit = { Token: await tokenOf(), TotalAmount: '4250', TransactionID: newId() };
    expect(await ask('CREDIT', credit)).toMatchObject({
      ActionCode: '000',
      ResponseText: 'RETURN ACCEPTED',
      Approval: expect.stringMatching(/^.{6}$/),
    });
  });
});

describe('debits of accounts', () => {
  it('19: a check is accepted, with an approval that says nothing', async () => {
    expect(await check(await bankToken())).toMatchObject({
      ActionCode: '000',
      ResponseText: 'CHECK ACCEPTED',
      Approval: '000000',
    });
  });

  it.each([
    ['without a holder', { CardName: '' }, undefined, '030'],
    ['without a type', {}, 'SEC="WEB"', '030'],
    ['at the terminal for cards', { TerminalID: 'TESTTERMINAL' }, undefined, '003'],
  ])('%s it is refused', async (_, more, attributes, code) => {
    expect(await check(await bankToken(), more, attributes)).toMatchObject({ ActionCode: code });
  });

  it('23: one cannot be voided', async () => {
    expect((await ask('VOIDACH', { TransactionID: newId() }))['ActionCode']).not.toBe('000');
  });

  it('36: its terminal knows it, and the one for cards does not', async () => {
    const id = newId();
    await check(await bankToken(), { TransactionID: id });
    expect(await ask('ENQ', { TransactionID: id, TerminalID: 'TESTACHTERM' })).toMatchObject({
      ActionCode: '000',
    });
    expect(await ask('ENQ', { TransactionID: id })).toMatchObject({ ActionCode: '025' });
  });
});

it('24: what is no message is answered with one', async () => {
  for (const body of ['<ippay><a>', 'nothing', '<other></other>'])
    expect(read((await post('ippay', body)).text)).toEqual({ ErrMsg: 'Malformed XML' });
});

describe('Reporting', () => {
  const report = (type: string, password = 'rpt-test') =>
    post(
      'ippayReport',
      `<ippayReport><MerchantID>RPT-test</MerchantID><Password>${password}</Password><TransactionRange><TransactionType>${type}</TransactionType><TransactionStartTime>2020-01-01T00:00:00</TransactionStartTime><TransactionEndTime>2099-12-31T00:00:00</TransactionEndTime></TransactionRange></ippayReport>`,
    );

  it('34: lists what a bank has returned, and what it has settled', async () => {
    const [returned, settled] = [newId(), newId()];
    await check(await bankToken('000009901'), { TransactionID: returned });
    await check(await bankToken(), { TransactionID: settled });
    await harness.advance(60_000);
    const rejects = (await report('achrejects')).text;
    expect(rejects).toMatch(new RegExp(`<Transaction_ID>${returned}</Transaction_ID>.*<Status>R01</Status>`));
    expect(rejects).not.toContain(settled);
    expect((await report('achsettlement')).text).toContain(settled);
    expect(await harness.captures(returned)).toEqual([]);
  });

  it('says that there is nothing, and that keys are wrong', async () => {
    expect((await report('ccchargebacks')).text).toContain('No Results');
    expect((await report('credit', 'wrong')).text).toContain('<ErrMsg>Invalid credentials</ErrMsg>');
  });
});

describe('the hosted page', () => {
  const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
  const form = (over: Fields = {}): Action => {
    const ReferenceID = over['ReferenceID'] ?? newId();
    const fields = {
      TransactionType: 'TOKENIZE',
      PaymentType: 'CC',
      MID: 'M-test',
      CustomerId: 'C-test',
      ReferenceID,
      Token: sha1(`${ReferenceID}key-test`),
      Amount: '0.00',
      CallbackURL: 'https://portal.example/callback',
      ...over,
    };
    return { do: 'form', url: `${harness.sandbox.url}/ippay/hpp`, fields, origins: [] };
  };
  const typed = { number: visa, expiry: '09/31', code: '123' };

  it('27: makes a token and calls back with its hash', async () => {
    const posted = await answerPage(form(), typed);
    expect(posted).toMatchObject({ Valid: 'True', ActionCode: '000', CardToken: await tokenOf() });
    expect(posted['ReturnToken']).toBe(sha1(`key-test${posted['TransactionID']}`));
  });

  it.each([
    ['a wrong hash', { Token: 'f'.repeat(40) }],
    ['another amount', { Amount: '42.50' }],
    ['a sale', { TransactionType: 'SALE' }],
    ['the terminal of the other kind', { TerminalID: 'TESTACHTERM' }],
    ['an unknown merchant', { CustomerId: 'C-other' }],
  ])('26: %s is refused without a callback', async (_, over) => {
    expect(await answerPage(form(over), typed)).toEqual({});
  });

  it('28: a reference is good for one token; what was not taken may be typed again', async () => {
    const ReferenceID = newId();
    const wrong = { ...typed, number: `${visa.slice(0, -1)}2` };
    expect(await answerPage(form({ ReferenceID }), wrong)).toMatchObject({
      Valid: 'False',
      ActionCode: '900',
      CardToken: '',
    });
    expect(await answerPage(form({ ReferenceID }), typed)).toMatchObject({ Valid: 'True' });
    expect(await answerPage(form({ ReferenceID }), typed)).toEqual({});
  });

  it('32: a check of its own is told beside the token', async () => {
    const posted = await answerPage(form(), { ...typed, code: '103' });
    expect(posted).toMatchObject({
      Valid: 'True',
      ActionCode: 'AFS-103',
      CardToken: expect.stringMatching(/1111$/),
    });
  });
});

it('keeps no number of a card or an account', async () => {
  await bankToken('98765432109');
  const { readFileSync } = await import('node:fs');
  const journal = readFileSync(`${harness.directory}/journal.jsonl`, 'utf8');
  expect(journal).not.toContain(visa);
  expect(journal).not.toContain('98765432109');
  expect(journal).toContain('1111');
});
