/** Stripe in the browser: card numbers and account numbers go to Stripe, our code sees a token. */
import type { CreateBankEntry, CreateCardEntry } from '../port/browser.ts';
import { tokeniseBank } from './browser/bank-account.ts';
import { CardFields } from './browser/card-fields.tsx';
import { CardSession } from './browser/card-session.ts';

export const createCardEntry: CreateCardEntry = (config) => {
  const session = new CardSession(config);
  return {
    Fields: (props) => <CardFields {...props} session={session} />,
    problems: () => session.problems(),
    focus: (field) => session.focus(field),
    tokenise: (holder, billing) => session.tokenise(holder, billing),
  };
};

export const createBankEntry: CreateBankEntry = (config) => ({
  tokenise: (scheme, typed) => tokeniseBank(config, scheme, typed),
});
