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
    button: '',
  },
};
