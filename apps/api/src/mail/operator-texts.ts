import type { MailText } from '@counterfoil/contract/mail-texts.ts';

/** What may stand in braces in the mails to operators, beside where the console is. */
export interface OperatorMailValues {
  readonly operatorInvitation: 'role';
  readonly operatorReset: never;
  readonly operatorChanged: 'when' | 'change';
  readonly operatorEndpoint: 'host' | 'state' | 'reason';
}
export type OperatorMailKind = keyof OperatorMailValues;

/** The words of the mails to people of the provider. They come from the console, so no brand has its own. */
export const operatorTexts: Readonly<Record<OperatorMailKind, Readonly<Record<keyof MailText, string>>>> = {
  operatorInvitation: {
    subject: 'Your access to the {companyName}',
    heading: 'Set up your access',
    text:
      'An owner of the {companyName} has made an account for you ({role}).\n\n' +
      'With the link below you choose a password and set up an authenticator app. It works once, for seven days.',
    button: 'Set up your access',
  },
  operatorReset: {
    subject: 'Choose a new password for the {companyName}',
    heading: 'Choose a new password',
    text:
      'A new password was asked for at the {companyName}. The link below works once, for one hour. To sign in you need ' +
      'the code of your authenticator app as before.\n\n' +
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    button: 'Choose a new password',
  },
  operatorChanged: {
    subject: 'Your access to the {companyName} was changed',
    heading: 'Your access was changed',
    text: '{change}\n\nIf it was not you, tell an owner of the console at once: they can shut your account out.',
    button: 'Go to the sign-in page',
  },
  operatorEndpoint: {
    subject: 'Webhooks to {host} are {state}',
    heading: 'Webhooks to {host} are {state}',
    text:
      '{reason}.\n\nWhat has happened since is not sent there until somebody enables the endpoint again in the {companyName}. ' +
      'What was not delivered is kept for 30 days and can be sent again from there.',
    button: 'Go to the endpoint',
  },
};

export const isOperatorMail = (kind: string): kind is OperatorMailKind => Object.hasOwn(operatorTexts, kind);
