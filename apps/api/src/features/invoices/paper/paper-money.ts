import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { InvoiceRow } from '../invoice-row.ts';

export const isVoid = (row: Pick<InvoiceRow, 'status'>): boolean => row.status === InvoiceStatus.VOID;

/** What is still due of an invoice, minor units; nothing of one that is void. */
export const dueMinor = (row: InvoiceRow): bigint =>
  isVoid(row) ? 0n : row.payable_minor - row.paid_minor - row.credited_minor + row.reversed_minor;
