import type {
  BankEntry,
  BankEntryCandidate,
  BankEntryState,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import {
  formatDecimal,
  type Money,
  parseMoney,
  subtractMoney,
  sumMoney,
} from '@counterfoil/domain/money/money.ts';
import { formatMoney } from '../../../text/format.ts';
import { StatusPill } from '../../../ui/data/status-pill.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { t } from './messages.ts';

const looks: Readonly<
  Record<BankEntryState, readonly ['success' | 'warning' | 'info' | 'neutral', IconName]>
> = {
  suggested: ['warning', 'alert'],
  unmatched: ['info', 'clock'],
  booked: ['success', 'check'],
  dismissed: ['neutral', 'close'],
};

/** Where an entry stands, in an icon and words. */
export const EntryState = ({ state }: Pick<BankEntry, 'state'>) => {
  const [tone, icon] = looks[state];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${state}`)}
    </StatusPill>
  );
};

/** Below nothing for what went out. */
export const signedAmount = ({ sign, amount, currency }: BankEntry): string =>
  formatMoney(sign === 'debit' ? `-${amount}` : amount, { currency });

export const partyOf = ({ partyName }: Pick<BankEntry, 'partyName'>): string => partyName || t('unnamed');

/** What it is for, in one line. */
export const textOf = ({ remittance, creditorReference, endToEndId }: BankEntry): string =>
  (remittance || creditorReference || endToEndId).replaceAll(/\s+/g, ' ');

/** A candidate in one line: its customer and the numbers. */
export const whatOf = ({ customer, invoices }: BankEntryCandidate): string =>
  [customer, invoices.map(({ number }) => number).join(', ')].filter((part) => part !== '').join(', ');

/** How much of an entry a candidate's invoices do not ask for, below nothing where they ask for more; undefined in another currency. */
export function surplusOf(
  entry: Pick<BankEntry, 'amount' | 'currency'>,
  invoices: BankEntryCandidate['invoices'],
): Money | undefined {
  const { currency } = entry;
  if (invoices.some((one) => one.currency !== currency)) return undefined;
  const due = sumMoney(
    invoices.map((one) => parseMoney(one.due, currency)),
    currency,
  );
  return subtractMoney(parseMoney(entry.amount, currency), due);
}

/** An amount without its sign. */
export const sizeOf = (money: Money): string =>
  formatMoney(formatDecimal(money).replace(/^-/, ''), { currency: money.currency });
