/** What lists can be sorted by, and how long what is asked of them may be; without schemas, for the portal's first bundle. */

/** The list of invoices: the names of its columns. */
export const invoiceOrders = ['number', 'amount', 'amountDue', 'dateInvoice', 'dateDue', 'status'] as const;
export type InvoiceOrder = (typeof invoiceOrders)[number];

/** Transactions: the names of their fields. */
export const transactionOrders = [
  'productLabel',
  'productName',
  'serviceName',
  'serviceItem',
  'siteLabel',
  'invoiceNumber',
  'dateFrom',
  'dateTo',
  'quantity',
  'price',
  'extraField1',
  'extraField2',
  'extraField3',
  'extraField4',
  'extraField5',
] as const;
export type TransactionOrder = (typeof transactionOrders)[number];

/** Service items: the names of their columns. */
export const serviceItemOrders = ['serviceItem', 'service', 'description', 'costCentre'] as const;
export type ServiceItemOrder = (typeof serviceItemOrders)[number];

/** The longest text that is searched for, characters. */
export const LIST_SEARCH_MAX = 100;

/** The most rows that are asked for by their ids: more would make an address longer than servers take. */
export const LIST_IDS_MAX = 200;
