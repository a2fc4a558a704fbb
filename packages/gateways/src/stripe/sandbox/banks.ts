/** Test bank accounts and how their debits end. https://docs.stripe.com/testing#non-card-payments */
import { type BankRow, BankTable } from '@counterfoil/sandbox/money/bank-account.ts';
import type { MethodType } from './objects.ts';

type DebitType = Exclude<MethodType, 'card'>;

const ends = { endsMandate: true } as const;
const delayed = { delayed: true } as const;

const rows: Readonly<Record<DebitType, readonly BankRow[]>> = {
  au_becs_debit: [
    ['000123456', 'success', {}],
    ['900123456', 'successDelayed', delayed],
    ['111111113', 'accountClosed', { fails: 'account_closed', ...ends }],
    ['111111116', 'noAccount', { fails: 'no_account', ...ends }],
    ['222222227', 'referToCustomer', { fails: 'refer_to_customer' }],
    ['922222227', 'referToCustomerDelayed', { fails: 'refer_to_customer', ...delayed }],
    ['333333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['666666660', 'dispute', { disputed: 'debit_not_authorized' }],
    ['343434343', 'exceedsWeeklyLimit', { fails: 'charge_exceeds_source_limit' }],
    ['121212121', 'exceedsTransactionLimit', { fails: 'charge_exceeds_transaction_limit' }],
  ],
  us_bank_account: [
    ['000123456789', 'success', {}],
    ['000111111113', 'accountClosed', { fails: 'account_closed', ...ends }],
    ['000111111116', 'noAccount', { fails: 'no_account', ...ends }],
    ['000222222227', 'insufficientFunds', { fails: 'insufficient_funds' }],
    ['000333333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['000444444440', 'invalidCurrency', { fails: 'invalid_currency' }],
    ['000666666661', 'failMicrodeposits', { noMicrodeposits: true }],
    ['000555555559', 'dispute', { disputed: 'debit_not_authorized' }],
    ['000000000009', 'processing', { never: true }],
    ['000777777771', 'weeklyLimitExceeded', { fails: 'charge_exceeds_source_limit' }],
  ],
  bacs_debit: [
    ['00012345', 'success', {}],
    ['90012345', 'successDelayed', delayed],
    ['33333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['93333335', 'debitNotAuthorizedDelayed', { fails: 'debit_not_authorized', ...ends, ...delayed }],
    ['22222227', 'insufficientFunds', { fails: 'insufficient_funds' }],
    ['92222227', 'insufficientFundsDelayed', { fails: 'insufficient_funds', ...delayed }],
    ['55555559', 'dispute', { ...delayed, disputed: 'debit_not_authorized' }],
    ['00033333', 'mandateRefused', { mandateRefused: true }],
    ['00044444', 'setupRefused', { setupRefused: true }],
    ['34343434', 'exceedsWeeklyLimit', { fails: 'charge_exceeds_weekly_limit' }],
    ['12121212', 'exceedsTransactionLimit', { fails: 'charge_exceeds_transaction_limit' }],
  ],
  sepa_debit: [
    ...sepa('success', 'AT611904300234573201', 'DE89370400440532013000', {}),
    ...sepa('successDelayed', 'AT321904300235473204', 'DE08370400440532013003', delayed),
    ...sepa('failed', 'AT861904300235473202', 'DE62370400440532013001', {
      fails: 'incorrect_account_holder_name',
    }),
    ...sepa('failedDelayed', 'AT051904300235473205', 'DE78370400440532013004', {
      fails: 'incorrect_account_holder_name',
      ...delayed,
    }),
    ...sepa('disputed', 'AT591904300235473203', 'DE35370400440532013002', {
      disputed: 'debit_not_authorized',
    }),
    ...sepa('insufficientFunds', 'AT981904300002222227', 'DE65370400440002222227', {
      fails: 'insufficient_funds',
    }),
    ...sepa('notSupported', 'AT271904300000055555', 'DE91370400440000055555', { notSupported: true }),
  ],
};

function sepa(name: string, at: string, de: string, behaviour: BankRow[2]): BankRow[] {
  return [
    [de, `${name}_de`, behaviour],
    [at, `${name}_at`, behaviour],
  ];
}

/** The accounts; one outside the table behaves as the successful one. */
export const banks = new BankTable(rows);

/** Why a debit failed, for people. */
export const bankFailureText: Readonly<Record<string, string>> = {
  account_closed: "The customer's bank account has been closed.",
  no_account: "The customer's bank account could not be located.",
  refer_to_customer: 'The debit was refused; refer to the customer.',
  debit_not_authorized: 'The customer has notified their bank that this payment was unauthorized.',
  insufficient_funds: "The customer's account has insufficient funds to cover this payment.",
  invalid_currency: 'The bank was unable to process this transaction because of its currency.',
  charge_exceeds_source_limit: 'The payment exceeds the weekly limit of this account.',
  charge_exceeds_weekly_limit: 'The payment exceeds the weekly limit of this account.',
  charge_exceeds_transaction_limit: 'The payment exceeds the limit of a single transaction.',
  incorrect_account_holder_name: "The name on the account does not match the bank's records.",
};
