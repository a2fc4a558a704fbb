/** A card becomes a token, and what Pinch says against a request, in any of its forms. For server and browser: nothing is imported. */

export interface ProviderError {
  readonly message: string;
  /** The property it is about, its first letter in lower case; empty where none is named. */
  readonly property: string;
}

type Loose = Readonly<Record<string, unknown>>;
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** `CardNumber` and `cardNumber` are one name. */
export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/**
 * Errors of an answer's body: a list of them, `{errorMessages: […]}` or `{errors: […]}`, each with `errorMessage` or
 * `message`. None where the body has none.
 */
export function errorsOf(body: unknown): readonly ProviderError[] {
  if (!isLoose(body)) return [];
  const list = Array.isArray(body) ? body : (body['errorMessages'] ?? body['errors']);
  if (!Array.isArray(list)) return [];
  return list.filter(isLoose).flatMap((error: Loose) => {
    const message = error['errorMessage'] ?? error['message'];
    const property = error['propertyName'] ?? error['field'];
    if (typeof message !== 'string' || message.trim() === '') return [];
    return [{ message: message.trim(), property: typeof property === 'string' ? lowerFirst(property) : '' }];
  });
}

/** Longest wait for a token, milliseconds. */
const answerMs = 20_000;

/**
 * Trades a card for a token, from the browser at the provider's own host. Never rejects.
 * @param card properties as the provider names them
 * @returns what the provider says against it where it gives none; undefined where it did not answer
 */
export async function tradeCard(
  url: string,
  card: object,
): Promise<{ readonly token: string } | ProviderError | undefined> {
  let body: unknown;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(card),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(answerMs),
    });
    body = await answer.json();
  } catch {
    return undefined;
  }
  const token = isLoose(body) ? body['token'] : undefined;
  return typeof token === 'string' ? { token } : errorsOf(body)[0];
}
