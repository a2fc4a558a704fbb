/** Invoice status codes of the contract; 11 is given, the others are ours (specification, decisions 5). */
export const InvoiceStatus = { OPEN: 10, PAID: 11, CREDITED: 12, VOID: 13, DISPUTED: 14 } as const;
/** One of the codes of {@link InvoiceStatus}. */
export type InvoiceStatus = (typeof InvoiceStatus)[keyof typeof InvoiceStatus];

/** Whether a number is one of the status codes. */
export const isInvoiceStatus = (code: number): code is InvoiceStatus =>
  Object.values<number>(InvoiceStatus).includes(code);

/** The codes of the portal's own calls by the names that programs use. */
export const invoiceStatusNamed = {
  open: InvoiceStatus.OPEN,
  paid: InvoiceStatus.PAID,
  credited: InvoiceStatus.CREDITED,
  void: InvoiceStatus.VOID,
  disputed: InvoiceStatus.DISPUTED,
} as const;

/** The name of a status code. @throws {Error} where it is none */
export function invoiceStateOf(status: number): keyof typeof invoiceStatusNamed {
  for (const [state, code] of Object.entries(invoiceStatusNamed))
    if (code === status) return state as keyof typeof invoiceStatusNamed;
  throw new Error(`${status} is no status of an invoice`);
}
