/** Refusals of the calls about payments from outside the portal and entries of bank statements; a part of `errors.ts`. */
export const outsideErrors = {
  'externalPayment.notFound': { status: 404, text: 'This payment is not known' },
  'externalPayment.noCustomer': { status: 400, text: 'This customer is not known' },
  'externalPayment.noInvoice': {
    status: 400,
    text: 'One of these invoices is not known, is void or is in another currency',
  },
  'externalPayment.amount': { status: 400, text: 'This amount is none of this currency' },
  'externalPayment.notYet': { status: 400, text: 'This day has not come yet' },
  'externalPayment.referenceTaken': { status: 409, text: 'This reference names another payment' },
  'bankEntry.notFound': { status: 404, text: 'This entry of a bank statement is not known' },
  'bankEntry.decided': {
    status: 409,
    text: 'This entry is booked or dismissed already. Please reopen it first',
  },
  'bankEntry.noCustomer': { status: 400, text: 'Please say whose payment this is' },
  'bankEntry.noPayment': { status: 400, text: 'Please say which payment this takes back' },
  'bankEntry.otherAmount': { status: 409, text: 'The payment has another amount or currency than the entry' },
  'bankEntry.notReopened': {
    status: 409,
    text: 'A payment was taken back by this entry. Please record that payment again instead',
  },
} as const;
