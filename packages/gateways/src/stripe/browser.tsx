/** Card entry by Stripe's own fields: the number goes from them to Stripe, our code sees a token. */
import type { CreateCardEntry } from '../browser-port.ts';
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
