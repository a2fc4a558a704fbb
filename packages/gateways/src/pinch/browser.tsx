/** Pinch in the browser: our inputs, whose numbers go to the provider's host and nowhere else; our code sends the token it gives. */
import { cardInputs, cardNumbers, endOf } from '../kit/browser/card-inputs.ts';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import { words } from '../kit/browser/words.ts';
import type { CreateEntry } from '../port/browser.ts';
import { tradeCard } from './card-token.ts';

/** Our input for a property of the provider. */
const fields: Readonly<Record<string, string>> = {
  cardNumber: 'number',
  cvc: 'cvc',
  expiryMonth: 'expiry',
  expiryYear: 'expiry',
};

export const createEntry: CreateEntry = (_kind, config) => {
  const inputs = cardInputs();
  const { publishableKey, tokenUrl } = config.public;
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} endOf={endOf(inputs)} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    async submit(owner) {
      const traded = await tradeCard(String(tokenUrl), {
        PublishableKey: publishableKey,
        ...cardOf(inputs),
        CardHolderName: owner.name ?? '',
      });
      if (traded === undefined) return { error: words.unreachable };
      if ('token' in traded) return traded;
      // The provider's own words.
      const { message: error, property } = traded;
      const field = fields[property];
      if (field === undefined) return { error };
      inputs.refuse(field, error);
      return { error, field };
    },
    needsPrepared: false,
  };
};

function cardOf(inputs: ReturnType<typeof cardInputs>) {
  const { cardNumber, expirationDate = '', cardCode } = cardNumbers(inputs);
  const [year, month] = expirationDate.split('-').map(Number);
  return { CardNumber: cardNumber, Cvc: cardCode, ExpiryMonth: month, ExpiryYear: year };
}
