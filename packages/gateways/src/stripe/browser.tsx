/** Stripe in the browser: card numbers and account numbers go to Stripe, our code sends a token. */
import type { CreateEntry, EntryConfig, MethodEntry } from '../port/browser.ts';
import { CardFields } from './browser/card-fields.tsx';
import { CardSession } from './browser/card-session.ts';

export const createEntry: CreateEntry = (kind, config) =>
  kind === 'card'
    ? cardEntry(config)
    : // Few need it, and the pay page counts its bytes.
      import('./browser/bank-entry.tsx').then(({ bankEntry }) => bankEntry(config));

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
