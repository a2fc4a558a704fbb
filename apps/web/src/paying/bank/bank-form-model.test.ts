import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../entry/test-support.ts';
import { detailsOf } from '../methods/test-support.ts';
import { bankOwner, bankProblems, ownerLabel } from './bank-form-model.ts';

const bank = detailsOf().bank as DebitForm;
const good = {
  accountHolderName: 'Ada Nakamura',
  email: 'ada@x.example',
};
const wrong = (over: object, isAgreed = true) =>
  bankProblems(bank, { ...good, ...over }, isAgreed, 'Agree').map(({ field }) => field.replace('bank-', ''));

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

  it('without what is not asked for, within the longest that is taken [payments.authorize.constant.account-name-max]', () => {
    const entry = entryOf({ formFields: [{ name: 'nameOnAccount', required: false, max: 22 }] });
    const of = (nameOnAccount: string) =>
      bankProblems({ entry, mandate: null }, { nameOnAccount }, true, 'Agree');
    expect([of('').length, of('x'.repeat(22)).length, of('x'.repeat(23)).length]).toEqual([0, 0, 1]);
  });
});

it.each([
  ['accountHolderName', 'Account holder name'],
  ['nameOnAccount', 'Name on account'],
  ['phone', 'Phone'],
  ['payerFirstName', 'Payer first name'],
])(
  'the field %s is called %s [payments.bank-form.field.{accountHolderName,nameOnAccount,phone}]',
  (name, label) => {
    expect(ownerLabel(name)).toBe(label);
  },
);

it('the owner is told by what is filled in, whatever the gateway calls it', () => {
  expect(bankOwner({ nameOnAccount: ' Ada ', email: 'a@x.example', zip: 'BS1', country: '' })).toEqual({
    name: 'Ada',
    email: 'a@x.example',
    billing: { postalCode: 'BS1' },
  });
});
