/** Stripe in the browser: card numbers and account numbers go to Stripe, our code sends a token. */
import { ProviderFields } from '../kit/browser/provider-fields.tsx';
import type { CreateEntry, EntryConfig, MethodEntry } from '../port/browser.ts';
import { CardSession } from './browser/card-session.ts';

export const createEntry: CreateEntry = (kind, config) =>
  kind === 'card'
    ? cardEntry(config)
    : // Few need it, and the pay page counts its bytes.
      import('./browser/bank-entry.tsx').then(({ bankEntry }) => bankEntry(config));

function cardEntry(config: EntryConfig): MethodEntry {
  const session = new CardSession(config);
  return {
    Fields: (props) => <ProviderFields {...props} session={session} />,
    problems: () => session.problems(),
    focus: (field) => session.focus(field),
    submit: (owner) => session.submit(owner),
    needsPrepared: false,
  };
}
