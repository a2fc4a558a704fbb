import type { TableColumn } from './letter.ts';

/** The columns of an invoice's charges, for the letter and for the sample of tests and benchmarks. */
export const chargeColumns: readonly TableColumn[] = [
  { label: 'Product', grows: true },
  { label: 'Quantity', isFigure: true },
  { label: 'Unit', isMuted: true },
  { label: 'Price', isFigure: true },
  { label: 'Amount', isFigure: true },
];
