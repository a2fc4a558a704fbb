import type { BillingOwner, GatewayState, OneTimeInput } from '@counterfoil/gateways/port/gateway.ts';
import type { EnteredNumbers } from './numbers.ts';

/** Which entry a call means: by its id, or by the provider's own name of it. */
export type EntryName = { readonly entryId: string } | { readonly remote: string };

/** An entry that was taken for its one use. */
export interface TakenEntry {
  readonly state: GatewayState;
  /** What the gateway's page has posted; absent where the browser sends what was entered. */
  readonly input?: OneTimeInput;
  readonly owner?: BillingOwner;
}

/** What a call sends of a method that is used once: a token, what was encrypted, or the entry that holds it. */
export interface Entered {
  /** Empty where there is none. */
  readonly token: string;
  readonly entry?: EntryName | undefined;
  /** What the provider's page does not put into the token. */
  readonly beside?: Readonly<Record<string, string>> | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Where the account has them pass this server. */
  readonly numbers?: EnteredNumbers | undefined;
}

/** Of a body's members. */
export const enteredOf = (
  token: string | undefined,
  body: Pick<Entered, 'beside' | 'fields'> & { readonly entryId?: string | undefined },
): Entered => ({
  token: token?.trim() ?? '',
  ...(body.entryId !== undefined && { entry: { entryId: body.entryId } }),
  ...(body.beside !== undefined && { beside: body.beside }),
  ...(body.fields !== undefined && { fields: body.fields }),
});

export const isEntered = ({ token, entry, fields, numbers }: Entered): boolean =>
  token !== '' || entry !== undefined || fields !== undefined || numbers !== undefined;

/**
 * By which the same method in another request is known. What is encrypted is another text each time; of numbers there is a keyed
 * digest.
 */
export function namesOf({ token, entry, fields, numbers }: Entered): readonly string[] {
  const names =
    entry === undefined && fields === undefined
      ? [token]
      : [token, JSON.stringify(entry ?? null), JSON.stringify(fields ?? null)];
  return numbers === undefined ? names : [...names, numbers.digest, JSON.stringify(numbers.beside)];
}

/** What the gateway is given. @param taken the entry, where one was prepared */
export function inputOf(
  { token, beside, fields, numbers }: Entered,
  taken: TakenEntry | undefined,
): OneTimeInput & { readonly entry?: GatewayState } {
  const entry = taken === undefined ? {} : { entry: taken.state };
  if (numbers !== undefined)
    return { secrets: numbers.secrets, beside: { ...beside, ...numbers.beside }, ...entry };
  if (token !== '') return { token, ...(beside && { beside }), ...entry };
  if (fields !== undefined) return { fields, ...entry };
  // The gateway's page has it: what it has posted, or what the entry's own state names.
  return { ...(taken?.input ?? { fields: {} }), ...entry };
}
