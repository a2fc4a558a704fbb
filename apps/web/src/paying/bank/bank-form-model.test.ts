import type { DebitForm } from '@counterfoil/contract/direct-debit.ts';
import { describe, expect, it } from 'vitest';
import { detailsOf } from '../methods/test-support.ts';
import { bankLabel, bankProblems } from './bank-form-model.ts';

const bank = detailsOf().bank as DebitForm;
const good = {
  accountHolderName: 'Ada Nakamura',
  email: 'ada@x.example',
  routingNumber: '062-000',
  bankAccountNumber: '000123456',
};
const wrong = (over: object, isAgreed = true) =>
  bankProblems(bank, { ...good, ...over }, isAgreed, 'Agree').map(({ field }) => field);

describe('a bank account can be added', () => {
  it('with all that is asked for, and the mandate agreed to [payments.stripe.control.debit-mandate]', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({}, false)).toEqual(['mandate']);
    expect(bankProblems({ ...bank, mandate: null }, good, false, 'Agree')).toEqual([]);
  });

  it.each([
    ['Ada', false],
    ['    Ada', false],
    ['Adam', true],
    ['', false],
  ])(
    'under a name of at least four characters: %j [payments.stripe.constant.account-name-min, payments.stripe.debit-name]',
    (accountHolderName, isGood) => {
      expect(wrong({ accountHolderName })).toEqual(isGood ? [] : ['accountHolderName']);
    },
  );

  it.each([
    ['ada@x.example', true],
    [' ada@x.example ', true],
    ['ada', false],
    ['ada@x', false],
    ['ada @x.example', false],
    ['', false],
  ])('with an e-mail address of the simple pattern: %j [payments.stripe.debit-email]', (email, isGood) => {
    expect(wrong({ email })).toEqual(isGood ? [] : ['email']);
  });

  it.each([
    ['12345', true],
    ['12 34 5', true],
    ['1234', false],
    ['1-2-3-4', false],
  ])(
    'with numbers of at least five characters: %j [payments.bank.constant.account-min, payments.bank.constant.routing-min]',
    (text, isGood) => {
      expect(wrong({ routingNumber: text })).toEqual(isGood ? [] : ['routingNumber']);
      expect(wrong({ bankAccountNumber: text })).toEqual(isGood ? [] : ['bankAccountNumber']);
    },
  );

  it('without what is not asked for, within the longest that is taken', () => {
    const fields = [{ name: 'nameOnAccount', required: false, max: 22 }];
    const of = (nameOnAccount: string) =>
      bankProblems({ ...bank, fields, mandate: null }, { nameOnAccount }, true, 'Agree');
    expect([of('').length, of('x'.repeat(22)).length, of('x'.repeat(23)).length]).toEqual([0, 0, 1]);
  });
});

it.each([
  ['routingNumber', 'AUD', 'BSB'],
  ['routingNumber', 'GBP', 'Sort code'],
  ['routingNumber', 'USD', 'Routing number'],
  ['accountNumber', 'USD', 'Account number'],
  ['bankAccountNumber', 'USD', 'Account number'],
  ['accountHolderName', 'USD', 'Account holder name'],
  ['nameOnAccount', 'USD', 'Name on account'],
  ['accountType', 'USD', 'Account type'],
  ['bankName', 'USD', 'Bank name'],
  ['phone', 'USD', 'Phone'],
  ['payerFirstName', 'USD', 'Payer first name'],
])(
  'the field %s is called in %s: %s [payments.bank-form.field.{accountHolderName,routingNumber,bankAccountNumber,accountType,accountNumber,nameOnAccount,bankName,phone}]',
  (name, currency, label) => {
    expect(bankLabel(name, currency)).toBe(label);
  },
);
