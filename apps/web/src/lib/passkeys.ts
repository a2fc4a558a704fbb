import type {
  NewPasskey,
  PasskeyAssertion,
  PasskeyChallenge,
  PasskeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';

/** Whether this browser has passkeys, and has them here: pages over plain http have none. */
export const hasPasskeys = (): boolean =>
  globalThis.isSecureContext === true && 'PublicKeyCredential' in globalThis;

/** Whether the browser can offer passkeys among the suggestions for a field. */
export const canSuggestPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

// Loaded with the first use: most people who sign in have no passkey.
let loading: Promise<typeof import('@simplewebauthn/browser')> | undefined;
const library = () => {
  loading ??= import('@simplewebauthn/browser');
  return loading;
};

/** Has the device make a passkey; the person unlocks it. @throws {Error} as {@link whyNot} tells */
export async function makePasskey(
  options: PasskeyRegistration['options'],
): Promise<NewPasskey['credential']> {
  const { startRegistration } = await library();
  const made = await startRegistration({ optionsJSON: options });
  const { id, rawId, type, response } = made;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

/** The request that counts: an older one that is still starting gives up instead of ending it. */
let latest = 0;

function orderOf(): () => void {
  latest += 1;
  const own = latest;
  return () => {
    if (own !== latest) throw new DOMException('A newer request took its place', 'AbortError');
  };
}

/**
 * Has a passkey sign; one request at a time, a newer one ends the older.
 * @param asSuggestion waits until the person chooses one among a field's suggestions, instead of asking them now
 * @throws {Error} as {@link whyNot} tells
 */
export async function signWithPasskey(
  options: PasskeyChallenge['options'],
  asSuggestion = false,
): Promise<PasskeyAssertion> {
  const giveWay = orderOf();
  const { startAuthentication } = await library();
  giveWay();
  const ask = () => startAuthentication({ optionsJSON: options, useBrowserAutofill: asSuggestion });
  const signed = await ask().catch((error: unknown) => {
    giveWay();
    if (asSuggestion || whyNot(error) !== 'superseded') throw error;
    // A suggestion asks the browser once more before it begins, and begun then, it ended this newer request.
    return ask();
  });
  const { id, rawId, type, response } = signed;
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Ends the request that waits for the person, when there is one. */
export function endPasskeyRequest(): void {
  latest += 1;
  void loading?.then(
    ({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony(),
    () => undefined,
  );
}

/** `cancelled`: by the person, or they let it wait too long. `known`: this device has one already. */
export type PasskeyFailure = 'cancelled' | 'superseded' | 'known' | 'unable';

const failures: Readonly<Record<string, PasskeyFailure>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'superseded',
  InvalidStateError: 'known',
  ConstraintError: 'unable',
  NotSupportedError: 'unable',
  SecurityError: 'unable',
  UnknownError: 'unable',
  NotReadableError: 'unable',
};

/** What a device or its owner had against it (WebAuthn 3, 5.1); undefined for errors of any other kind. */
export const whyNot = (error: unknown): PasskeyFailure | undefined =>
  error instanceof Error ? failures[error.name] : undefined;
