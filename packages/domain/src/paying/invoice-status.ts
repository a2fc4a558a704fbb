/** Invoice status codes of the contract; 11 is given, the others are ours (specification, decisions 5). */
export const InvoiceStatus = { OPEN: 10, PAID: 11, CREDITED: 12, VOID: 13, DISPUTED: 14 } as const;
/** One of the codes of {@link InvoiceStatus}. */
export type InvoiceStatus = (typeof InvoiceStatus)[keyof typeof InvoiceStatus];

/** Whether a number is one of the status codes. */
export const isInvoiceStatus = (code: number): code is InvoiceStatus =>
  Object.values<number>(InvoiceStatus).includes(code);
