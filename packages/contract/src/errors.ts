import { TOO_LONG_MESSAGE } from '@counterfoil/domain/text/password.ts';

/**
 * Every expected refusal: the code for programs, the status, and the text a person may read.
 * Texts the specification gives stand here once, verbatim.
 */
export const errors = {
  'request.malformed': { status: 400, text: 'The request could not be read' },
  'request.invalid': { status: 400, text: 'Some of the values sent are not valid' },
  'request.timeout': { status: 408, text: 'The request did not arrive in time' },
  'request.tooLarge': { status: 413, text: 'The request is too large' },
  'request.headersTooLarge': { status: 431, text: 'The headers of the request are too large' },
  'request.expectation': { status: 417, text: 'The server cannot do what the request expects' },
  'request.mediaType': { status: 415, text: 'This kind of content is not accepted here' },
  'request.notFound': { status: 404, text: 'There is nothing at this address' },
  'request.method': { status: 405, text: 'This address does not take that method' },
  'request.crossSite': {
    status: 403,
    text: 'This request came from another site. Please open the portal and try again',
  },
  'session.missing': { status: 401, text: 'Please sign in' },
  'session.ended': { status: 401, text: 'Your session has ended. Please sign in again' },
  'session.notFound': { status: 404, text: 'This session has ended already' },
  'customer.notYours': { status: 403, text: 'This customer is not one of yours' },
  'customer.none': { status: 403, text: 'Your sign-in does not belong to a customer yet' },
  'area.disabled': { status: 404, text: 'There is nothing at this address' },
  'reset.expired': {
    status: 410,
    text: 'Your change password session has expired. Please try again.',
  },
  'registration.expired': {
    status: 410,
    text: 'Your registration session has expired. Please try again.',
  },
  'password.wrongCurrent': { status: 400, text: 'The current password is not correct' },
  'password.tooCommon': { status: 400, text: 'This password is too common. Please choose another' },
  'password.tooShort': { status: 400, text: 'This password is too short. Please choose a longer one' },
  'password.tooLong': { status: 400, text: TOO_LONG_MESSAGE },
  'password.composition': { status: 400, text: 'This password does not meet the rules' },
  'loginCode.unknown': { status: 404, text: 'This sign-in link is not valid' },
  'loginCode.used': {
    status: 410,
    text: 'This sign-in link has been used already. Please ask for a new one',
  },
  'loginCode.expired': { status: 410, text: 'This sign-in link has expired. Please ask for a new one' },
  'support.notAllowed': { status: 403, text: 'Only the person themselves can do this' },
  'secondFactor.required': {
    status: 403,
    text: 'Your provider asks for a second step at sign-in. Please set it up first',
  },
  'secondFactor.wrongCode': { status: 400, text: 'This code is not correct. Please enter the newest one' },
  'secondFactor.wrongRecoveryCode': {
    status: 400,
    text: 'This recovery code is not correct, or it was used before',
  },
  'secondFactor.codeMissing': { status: 400, text: 'Please enter a code' },
  'secondFactor.noPassword': {
    status: 409,
    text: 'You sign in without a password, so there is no second step to add',
  },
  'secondFactor.notStarted': { status: 409, text: 'This set-up has expired. Please start again' },
  'secondFactor.isOff': { status: 409, text: 'Two-step sign-in is not turned on' },
  'secondFactor.keep': {
    status: 409,
    text: 'Your provider asks for a second step at sign-in, so it cannot be turned off',
  },
  'passkey.notFound': { status: 404, text: 'This passkey has been removed already' },
  'passkey.passwordNeeded': { status: 403, text: 'Please enter your current password' },
  'passkey.signInNeeded': {
    status: 403,
    text: 'Please sign out and in again, then change your passkeys within ten minutes',
  },
  'passkey.expired': { status: 410, text: 'This took too long. Please try again' },
  'passkey.refused': { status: 400, text: 'This passkey could not be checked. Please try again' },
  'passkey.known': { status: 409, text: 'This passkey is in use already' },
  'passkey.tooMany': { status: 409, text: 'You have twenty passkeys. Please remove one first' },
  'preference.tooMany': { status: 409, text: 'No more choices can be kept' },
  'brand.notFound': { status: 404, text: 'No brand is configured for this address' },
  'invoice.notFound': { status: 404, text: 'Invoice not found' },
  'agreement.notFound': { status: 404, text: 'Agreement not found' },
  'period.notFound': { status: 404, text: 'Billing period not found' },
  'serviceItem.notFound': { status: 404, text: 'Service item not found' },
  'costCentreChange.notFound': { status: 404, text: 'This change is not known' },
  'costCentreChange.undone': { status: 409, text: 'This change has been undone already' },
  'recordType.notFound': { status: 404, text: 'Record type not found' },
  'usage.badRange': { status: 400, text: 'Please give a start date that is not after the end date' },
  'usage.tooMuch': {
    status: 422,
    text: 'This takes too long over so many records. Please narrow the dates, or sort by another column',
  },
  'usage.tooManyExports': {
    status: 429,
    text: 'Two files of your usage are being made already. Please wait until one of them is ready',
  },
  'statement.tooLong': {
    status: 413,
    text: 'This statement has too many entries for a PDF. Please choose a shorter period, or CSV',
  },
  'report.notFound': { status: 404, text: 'This report is not known' },
  'report.noFile': { status: 404, text: 'This file is not there any more. Please generate the report again' },
  'report.parameterMissing': { status: 400, text: 'Please fill in everything this report needs' },
  'report.parameterInvalid': { status: 400, text: 'Some of the values for this report are not valid' },
  'report.badRange': { status: 400, text: 'Please give a start date that is not after the end date' },
  'report.archived': {
    status: 409,
    text: 'Usage of some of this time has been archived. Please choose a later start date, or ask for it to be brought back',
  },
  'report.tooMany': {
    status: 429,
    text: 'Three reports are being made already. Please wait until one of them is ready',
  },
  'service.notFound': { status: 404, text: 'Service not found' },
  'payLink.notFound': {
    status: 404,
    text: 'This payment link is not valid. Please check the address or ask for a new link',
  },
  'payLink.expired': { status: 410, text: 'This payment link has expired' },
  'payment.amountChanged': {
    status: 409,
    text: 'The amount to pay has changed. Please reload the page and check it again',
  },
  'payment.partRefused': {
    status: 400,
    text: 'This amount cannot be paid. Please choose another, up to what is due',
  },
  'payment.tooSmall': {
    status: 400,
    text: 'This amount is too small to be paid this way. Nothing was charged.',
  },
  'payment.tooFine': {
    status: 400,
    text: 'This amount cannot be paid this way. Nothing was charged.',
  },
  'payment.paused': {
    status: 429,
    text: 'Too many cards were declined. Nothing was charged. Please try again in an hour',
  },
  'payment.invoiceMismatch': { status: 400, text: 'The payment does not belong to this invoice' },
  'payment.methodMissing': { status: 400, text: 'Please enter a card' },
  'payment.emailInvalid': { status: 400, text: 'Please enter a valid e-mail address' },
  'payment.fieldMissing': { status: 400, text: 'Please fill in all required fields' },
  'payment.notPayable': { status: 409, text: 'This invoice cannot be paid at the moment' },
  'payment.credited': { status: 409, text: 'The invoice has been credited. No further payments required.' },
  'payment.alreadyPaid': {
    status: 409,
    text: 'The invoice has already been paid. No further payments required.',
  },
  'payment.unknownIntent': {
    status: 404,
    text: 'This payment is not known any more. Please choose the invoices again',
  },
  'payment.mixedCurrencies': {
    status: 409,
    text: 'Invoices in different currencies cannot be paid together',
  },
  'payment.quoteChanged': {
    status: 409,
    text: 'What is to be paid has changed. Please check it and pay again',
  },
  'payment.underWay': {
    status: 409,
    text: 'One of these invoices is being paid already. Please wait until that payment is confirmed',
  },
  'payment.notBegun': { status: 409, text: 'The payment did not go through. Nothing was charged.' },
  'entry.notFound': { status: 404, text: 'This form is not there any more. Please load it again' },
  'entry.expired': { status: 410, text: 'This form has expired. Nothing was charged or saved' },
  'entry.used': { status: 409, text: 'This form was used already. Please load it again' },
  'payment.rawCard': {
    status: 400,
    text: 'Card numbers are not taken here. Please use the card fields of the payment provider',
  },
  'payment.methodCurrency': {
    status: 409,
    text: 'This payment method cannot pay in this currency. Please choose another',
  },
  'payment.keyReused': { status: 409, text: 'This Idempotency-Key was used for another payment' },
  'payment.unknownAttempt': { status: 404, text: 'There is no such payment' },
  'paymentMethod.notFound': { status: 404, text: 'This payment method is not there any more' },
  'paymentMethod.noSetUp': { status: 404, text: 'There is nothing to finish. Please start again' },
  'paymentMethod.declined': { status: 402, text: 'Your card was declined' },
  'paymentMethod.refused': {
    status: 400,
    text: 'This payment method could not be saved. Please check what you entered and try again',
  },
  'paymentMethod.expired': {
    status: 409,
    text: 'Your credit card has expired. Please add a new one and try again',
  },
  'paymentMethod.notUsable': { status: 409, text: 'This payment method cannot be used for payments yet' },
  'paymentMethod.badExpiry': { status: 400, text: 'Please provide valid date' },
  'paymentMethod.notEditable': { status: 409, text: 'This cannot be changed. Please add it anew instead' },
  'paymentMethod.beingCharged': {
    status: 409,
    text: 'A payment with this method is being confirmed. Please try again in a few minutes',
  },
  'paymentMethod.inUse': {
    status: 409,
    text: 'This payment method is in use by your provider. Please contact support',
  },
  'paymentMethod.notOffered': { status: 409, text: 'This kind of payment method is not offered' },
  'paymentMethod.otherProvider': {
    status: 409,
    text: 'How payments are taken has changed. Please reload the page and try again',
  },
  'paymentMethod.agreementNeeded': { status: 400, text: 'Please agree to the direct debit first' },
  'consent.inPerson': { status: 403, text: 'Only the customer themselves can agree to this' },
  'consent.notNeeded': { status: 409, text: 'Your provider’s terms decide this. Please contact support' },
  'payments.paused': {
    status: 503,
    text: 'Payments are paused while we check our records. Nothing was charged. Please try again later',
  },
  'gateway.misconfigured': {
    status: 409,
    text: 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
  },
  'webhook.refused': { status: 400, text: 'The signature does not match' },
  'rate.limited': { status: 429, text: 'Too many tries. Please wait a moment' },
  'apiKey.refused': { status: 401, text: 'This API key is not valid' },
  'usageImport.notFound': { status: 404, text: 'This import is not known' },
  'usageImport.noMapping': { status: 400, text: 'This mapping is not known' },
  'usageImport.noTarget': { status: 400, text: 'This customer is not known' },
  'usageImport.timeZone': { status: 400, text: 'This time zone is not known' },
  'usageImport.unfit': { status: 422, text: 'The file does not fit the mapping' },
  'usageImport.tooLarge': {
    status: 413,
    text: 'A file may have 512 MiB as it is sent, and 4 GiB unpacked. Please send it in parts',
  },
  'usageImport.tooMany': {
    status: 429,
    text: 'Other files are still being uploaded or taken in. Please send this one later',
  },
  'usageImport.unreadable': { status: 400, text: 'The file could not be unpacked' },
  'server.busy': {
    status: 503,
    text: 'Many people are signing in at the moment. Please try again in a few seconds',
  },
  'server.exporting': {
    status: 503,
    text: 'Many usage files are being made at the moment. Please try again in a minute',
  },
  'server.uploading': {
    status: 503,
    text: 'Many files are being uploaded at the moment. Please try again in a minute',
  },
  'server.unavailable': { status: 503, text: 'Our server returned error, try again later' },
  'server.fault': { status: 500, text: 'Our server returned error, try again later' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errors;
