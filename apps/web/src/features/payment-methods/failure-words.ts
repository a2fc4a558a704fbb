import { ApiError } from '../../lib/api/api-error.ts';
import { t as common } from '../../text/common.ts';
import { t } from './messages.ts';

/** A refusal in the server's or the gateway's words; without an answer, that there was none. */
const wordsOf = (error: unknown): string =>
  error instanceof ApiError && error.message.trim() !== '' ? error.message : common('error.banner');

/** Why a card was not added: with status 500 it was declined, else what the server says (payments §4, §8). */
export const cardFailure = (error: unknown): string =>
  error instanceof ApiError && error.status === 500 ? t('add.declined') : wordsOf(error);

/** Why a bank account was not added, or a proof not taken. */
export const accountFailure = wordsOf;

/** Why the default stays what it was (payments §8). */
export function defaultFailure(error: unknown): string {
  const text = error instanceof ApiError ? error.message.trim() : '';
  if (text.includes('The credit card has expired')) return t('default.expired');
  return text === '' ? t('default.failed') : text;
}
