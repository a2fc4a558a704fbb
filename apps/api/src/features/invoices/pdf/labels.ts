/** The fixed words of an invoice PDF. English for now; another language is another value of this type. */
export interface InvoiceLabels {
  readonly invoice: string;
  readonly creditNote: string;
  readonly billTo: string;
  readonly from: string;
  readonly invoiceNumber: string;
  readonly creditNoteNumber: string;
  readonly invoiceDate: string;
  readonly creditNoteDate: string;
  readonly dueDate: string;
  readonly period: string;
  readonly creditedInvoice: string;
  readonly amountDue: string;
  readonly creditAmount: string;
  readonly due: (date: string) => string;
  readonly pay: (amount: string) => string;
  readonly notice: string;
  readonly product: string;
  readonly details: string;
  readonly quantity: string;
  readonly price: string;
  readonly amount: string;
  readonly noLines: string;
  readonly subtotal: string;
  readonly tax: string;
  readonly invoiceAmount: string;
  readonly creditNoteAmount: string;
  readonly logo: (brand: string) => string;
  readonly page: (page: number, pages: number) => string;
}

export const englishLabels: InvoiceLabels = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  billTo: 'Bill to',
  from: 'From',
  invoiceNumber: 'Invoice number',
  creditNoteNumber: 'Credit note number',
  invoiceDate: 'Invoice date',
  creditNoteDate: 'Credit note date',
  dueDate: 'Due date',
  period: 'Billing period',
  creditedInvoice: 'Credits invoice',
  amountDue: 'Amount due',
  creditAmount: 'Credit amount',
  due: (date) => `Due ${date}`,
  pay: (amount) => `Pay ${amount}`,
  notice: 'Please note',
  product: 'Product',
  details: 'Details',
  quantity: 'Quantity',
  price: 'Price',
  amount: 'Amount',
  noLines: 'This document has no lines.',
  subtotal: 'Subtotal',
  tax: 'Tax',
  invoiceAmount: 'Invoice Amount',
  creditNoteAmount: 'Credit Amount',
  logo: (brand) => `Logo of ${brand}`,
  page: (page, pages) => `Page ${page} of ${pages}`,
};
