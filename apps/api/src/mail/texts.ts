import type { MailKind, MailText } from '@counterfoil/contract/mail-texts.ts';

/** The built-in words of each mail; a brand may have its own (setting `mailTexts`). */
export const builtInTexts: Readonly<Record<MailKind, Readonly<Record<keyof MailText, string>>>> = {
  registration: {
    subject: 'Your account at {companyName}',
    heading: 'Finish your registration',
    text:
      '{companyName} has made an account for you, where you see and pay your bills.\n\n' +
      'Choose a password to finish. The link below works once, for seven days.',
    button: 'Choose a password',
  },
  reset: {
    subject: 'Choose a new password for {companyName}',
    heading: 'Choose a new password',
    text:
      'A new password was asked for at {companyName}. The link below works once, for one hour.\n\n' +
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    button: 'Choose a new password',
  },
  passwordChanged: {
    subject: 'Your password for {companyName} was changed',
    heading: 'Your password was changed',
    text:
      'You have been signed out everywhere else.\n\n' +
      'If it was not you who changed it, ask for a new password on the sign-in page at once and tell us.',
    button: 'Go to the sign-in page',
  },
  securityChanged: {
    subject: 'The security of your account at {companyName} was changed',
    heading: 'The security of your account was changed',
    text:
      '{change}\n\n' +
      'If it was not you, ask for a new password on the sign-in page at once: setting it signs everybody out. ' +
      'Then tell us.',
    button: 'Go to the sign-in page',
  },
  newSignIn: {
    subject: 'New sign-in to your account at {companyName}',
    heading: 'New sign-in to your account',
    text:
      'Somebody signed in to your account from a browser or a place we had not seen you use. ' +
      'If it was you, there is nothing to do.\n\n' +
      'If it was not you, ask for a new password on the sign-in page at once: setting it signs everybody out. ' +
      'If you sign in through your company, tell those who look after its sign-in. Then tell us.',
    button: 'Go to the sign-in page',
  },
  receipt: {
    subject: 'Receipt from {companyName}: {invoiceLabel} {invoices}',
    heading: 'You paid {amount} to {companyName}',
    text: '',
    // Only there where something is still due.
    button: 'Pay the rest',
  },
  autoPayAhead: {
    subject: '{companyName} will charge {amount} on {date}',
    heading: 'We will charge {amount} on {date}',
    text:
      '{invoiceLabel} {invoice} is due. As arranged, we will charge {amount} to your payment method ({method}) ' +
      'on {date}. There is nothing for you to do.\n\n{stop}',
    button: 'Go to your payment methods',
  },
  autoPayNoMethod: {
    subject: '{invoiceLabel} {invoice} from {companyName} cannot be charged',
    heading: 'We cannot charge {invoiceLabel} {invoice}',
    text:
      '{amount} is due on {date}, and there is no payment method that we could charge: none is your default, ' +
      'or it expires before that day.\n\n' +
      'Please add a payment method or make one your default. You can also pay in another way.',
    button: 'Go to your payment methods',
  },
  autoPayDeclined: {
    subject: '{amount} for {companyName} could not be charged',
    heading: '{amount} could not be charged',
    text:
      'We tried to charge {invoiceLabel} {invoice} to your payment method ({method}). Nothing was taken: ' +
      '{why}\n\n{next}',
    button: 'Pay now',
  },
  autoPayConfirm: {
    subject: 'Please confirm your payment of {amount} to {companyName}',
    heading: 'Your bank asks you to confirm this payment',
    text:
      'We tried to charge {invoiceLabel} {invoice} ({amount}) to your payment method ({method}). Your bank wants you ' +
      'to confirm it yourself, so nothing was taken.\n\n' +
      'Please pay with the button below; your bank will ask you there. We will not try it again by ourselves.',
    button: 'Confirm and pay',
  },
  autoPayPart: {
    subject: '{due} of {invoiceLabel} {invoice} from {companyName} is still to be paid',
    heading: 'A part of {invoiceLabel} {invoice} was paid',
    text:
      'We charged {invoiceLabel} {invoice} to your payment method ({method}). Only {amount} was taken, so {due} is ' +
      'still to be paid.\n\n' +
      'Please pay it with the button below. We will not charge it by ourselves.',
    button: 'Pay the rest',
  },
  payLink: {
    subject: 'Your payment link for {invoiceLabel} {invoice} from {companyName}',
    heading: 'Pay {invoiceLabel} {invoice}',
    text:
      'A new payment link was asked for, because the old one has expired. {amount} is open.\n\n' +
      'If you did not ask for it, there is nothing to do.',
    button: 'Pay now',
  },
  invoiceNew: {
    subject: '{invoiceLabel} {invoice} from {companyName}',
    heading: 'Your new {invoiceLabel}: {amount}',
    text: '{companyName} has issued {invoiceLabel} {invoice}. {how}',
    button: 'See and pay',
  },
  invoiceDueSoon: {
    subject: '{invoiceLabel} {invoice} from {companyName} is due on {date}',
    heading: '{amount} is due on {date}',
    text:
      'This is a reminder of {invoiceLabel} {invoice}.\n\n' +
      'If you have paid it meanwhile, thank you: there is nothing to do.',
    button: 'Pay now',
  },
  invoiceOverdue: {
    subject: '{invoiceLabel} {invoice} from {companyName} is overdue',
    heading: '{amount} was due on {date}',
    text:
      'We have no payment of {invoiceLabel} {invoice} yet. Please pay it now, or tell us if something is wrong with it.\n\n' +
      'If you have paid it meanwhile, thank you: there is nothing to do.',
    button: 'Pay now',
  },
};
