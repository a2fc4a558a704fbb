import {
  cardNumberProblem,
  cvcProblem,
  expiryProblem,
  expiryToWire,
  formatExpiry,
  normaliseCardNumber,
} from '@counterfoil/domain/paying/card.ts';
import type { TypedNumbers } from '../../port/browser.ts';
import { brandOf, groupNumber } from './card-brand.ts';
import { OwnInputs } from './own-inputs.ts';
import { words } from './words.ts';

const numberWords = {
  required: words.missingNumber,
  notDigits: 'A card number has digits only',
  tooShort: 'This card number is too short',
  tooLong: 'This card number is too long',
  checksum: 'This card number is not right. Look for a digit that was mistyped',
} as const;

const codeWord = (number: string): string =>
  normaliseCardNumber(number).length === 15
    ? 'The security code of this card has 4 digits'
    : 'The security code of this card has 3 digits';

/**
 * The inputs of a card, by the rules of the specification (payments §5): number of 16 to 19 characters with its check digit,
 * expiry 'MM / YY', security code of 3 digits, of 4 beside a number of 15.
 */
export const cardInputs = (now: () => Date = () => new Date()): OwnInputs =>
  new OwnInputs([
    {
      name: 'number',
      label: words.number,
      attributes: {
        autoComplete: 'cc-number',
        inputMode: 'numeric',
        maxLength: 23,
        placeholder: '1234 1234 1234 1234',
      },
      format: groupNumber,
      problem(text) {
        const found = cardNumberProblem(text);
        return found === null ? undefined : numberWords[found];
      },
    },
    {
      name: 'expiry',
      label: words.expiry,
      half: true,
      attributes: { autoComplete: 'cc-exp', inputMode: 'numeric', maxLength: 9, placeholder: 'MM / YY' },
      format: formatExpiry,
      problem: (text) => (text === '' ? words.missingExpiry : (expiryProblem(text, now()) ?? undefined)),
    },
    {
      name: 'cvc',
      label: words.cvc,
      half: true,
      attributes: { autoComplete: 'cc-csc', inputMode: 'numeric', maxLength: 4, placeholder: 'CVC' },
      format: (text) => text.replace(/\D/g, ''),
      problem(text, textOf) {
        const found = cvcProblem(text, textOf('number'));
        if (found === null) return undefined;
        return found === 'required' ? words.missingCvc : codeWord(textOf('number'));
      },
    },
  ]);

/** What stands in them, as it is sent: no blanks, the expiry as 'YYYY-MM'. */
export function cardNumbers(inputs: OwnInputs): TypedNumbers {
  return {
    cardNumber: normaliseCardNumber(inputs.textOf('number')),
    expirationDate: expiryToWire(inputs.textOf('expiry')) ?? '',
    cardCode: inputs.textOf('cvc'),
  };
}

/** Shown at the end of an input: the brand of the number. */
export const endOf =
  (inputs: OwnInputs) =>
  (name: string): string | undefined =>
    name === 'number' ? brandOf(inputs.textOf(name)) : undefined;
