/** Stripe in the browser: card numbers and account numbers go to Stripe, our code sends a token. */
import { accountOf, bankInputs } from '../kit/browser/bank-inputs.ts';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import type { CreateEntry, EntryConfig, MethodEntry } from '../port/browser.ts';
import { tokeniseBank } from './browser/bank-account.ts';
import { CardFields } from './browser/card-fields.tsx';
import { CardSession } from './browser/card-session.ts';

export const createEntry: CreateEntry = (kind, config) =>
  kind === 'card' ? cardEntry(config) : bankEntry(config);

function cardEntry(config: EntryConfig): MethodEntry {
  const session = new CardSession(config);
  return {
    Fields: (props) => <CardFields {...props} session={session} />,
    problems: () => session.problems(),
    focus: (field) => session.focus(field),
    submit: (owner) => session.submit(owner),
    needsPrepared: false,
  };
}

function bankEntry(config: EntryConfig): MethodEntry {
  const inputs = bankInputs(config);
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    async submit(owner) {
      const entered = await tokeniseBank(config, accountOf(inputs), owner);
      if ('error' in entered && entered.field !== undefined) inputs.refuse(entered.field, entered.error);
      return entered;
    },
    needsPrepared: false,
  };
}
