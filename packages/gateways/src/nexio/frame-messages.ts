import type { Entered } from '../port/browser.ts';

const refused = 'Your details were not accepted. Please check them and try again';

type Json = Readonly<Record<string, unknown>>;
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/**
 * What the provider's frame says: that it has saved a card or an account, or why not. Nothing is believed of it: our server reads
 * the token back. Undefined: it is no message of the frame; `other`: it is, and says nothing of that.
 */
export function readFrame(message: unknown): Entered | 'other' | undefined {
  const { event, data } = object(message);
  if (typeof event !== 'string') return undefined;
  if (event === 'cardSaved' || event === 'eCheckSaved') {
    const { token } = object(object(data)['token']);
    return typeof token === 'string' ? { token } : { error: refused };
  }
  if (event !== 'error') return 'other';
  const text = object(data)['message'];
  return { error: typeof text === 'string' && text !== '' && text.length <= 200 ? text : refused };
}
