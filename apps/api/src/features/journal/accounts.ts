import type { StoredResellerSettings } from '@counterfoil/contract/brand.ts';
import { Account } from '../payments/service.ts';

type AccountName = (typeof Account)[keyof typeof Account];

/** What each account of the ledger is called in accounting. */
const words: Readonly<Record<AccountName, string>> = {
  [Account.gateway]: 'Payment gateways',
  [Account.external]: 'Payments from outside',
  [Account.receivable]: 'Accounts receivable',
  [Account.feeIncome]: 'Payment fees',
  [Account.customerCredit]: 'Customer credit',
  [Account.creditNote]: 'Credit notes',
  [Account.adjustment]: 'Balance adjustments',
  [Account.refunded]: 'Refunds',
  [Account.lost]: 'Lost at gateways',
};

const isAccount = (name: string): name is AccountName => Object.hasOwn(words, name);

/** An account of the ledger in words. */
export const accountWords = (name: string): string => (isAccount(name) ? words[name] : name);

/** What the provider's accounting calls an account: its code or name there, else ours in words. */
export function accountCode(name: string, { journalAccounts }: StoredResellerSettings): string {
  const own = isAccount(name) ? journalAccounts[name] : undefined;
  return own ?? accountWords(name);
}
