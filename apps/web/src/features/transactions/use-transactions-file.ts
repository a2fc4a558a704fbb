import type { BillingPeriod } from '@counterfoil/contract/transactions.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { periodOf, transactionsFileName } from '@counterfoil/domain/time/period.ts';
import { useState } from 'react';
import { reportFailure } from '../../lib/error-banner.ts';
import { saveCsv } from '../../lib/files/save-csv.ts';
import { fetchTransactions } from './queries.ts';
import { type ExtraColumn, transactionsCsv } from './transaction-columns.tsx';

/** All charges of a period as a file, whatever page of them is shown. */
export function useTransactionsFile(period: BillingPeriod | undefined, extra: readonly ExtraColumn[]) {
  const [isBusy, setBusy] = useState(false);
  const download = async (byteOrderMark: boolean) => {
    if (period === undefined) return;
    setBusy(true);
    try {
      const span = periodOf(parseDay(period.periodStart), parseDay(period.periodEnd));
      const rows = await fetchTransactions(period.id);
      saveCsv(transactionsFileName(span), transactionsCsv(rows, extra), byteOrderMark);
    } catch (error) {
      reportFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, download: (byteOrderMark: boolean) => void download(byteOrderMark) };
}
