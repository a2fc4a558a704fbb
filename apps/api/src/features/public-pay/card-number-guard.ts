import { passesLuhn } from '@counterfoil/domain/card.ts';
import { AppError } from '../../app-error.ts';

/** 14 to 19 digits of a card scheme, blanks and dashes between them allowed. */
const CANDIDATE = /(?<!\d)[2-6](?:[ -]?\d){13,18}(?!\d)/g;

/** Whether a text holds what reads like a card number. */
export function holdsCardNumber(text: string): boolean {
  return [...text.matchAll(CANDIDATE)].some(([digits]) => passesLuhn(digits.replace(/\D/g, '')));
}

/**
 * Refuses a card number in a member that is for something else, before anything of it is stored, hashed, sent on or
 * logged: this server takes tokens of the provider only. The refusal names the member, never its content.
 * @throws {AppError} `request.invalid`
 */
export function refuseCardNumbers(
  members: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): void {
  for (const [name, value] of Object.entries(members)) {
    const here = [...path, name];
    if (typeof value === 'string' && holdsCardNumber(value)) {
      throw new AppError('request.invalid', {
        fields: [{ path: here.join('.'), message: 'holds a card number' }],
      });
    }
    if (typeof value === 'object' && value !== null) refuseCardNumbers({ ...value }, here);
  }
}
