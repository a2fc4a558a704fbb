import type { PasskeyChallenge } from '@counterfoil/contract/people/passkeys.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { endPasskeyRequest, signWithPasskey } from './passkeys.ts';

const options: PasskeyChallenge['options'] = {
  challenge: 'c',
  rpId: 'here.example',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [],
};
const signed = {
  id: 'i',
  rawId: 'i',
  type: 'public-key',
  response: { clientDataJSON: 'd', authenticatorData: 'e', signature: 'f', userHandle: 'g' },
};
const named = (name: string) => Object.assign(new Error('x'), { name });

interface Begun {
  readonly isSuggestion: boolean;
  readonly end: (with_: typeof signed | Error) => void;
}

/** What the device was asked, in order; each new request ends the one before, as the library does. */
let begun: Begun[];
/** Suggestions wait for this before they begin: the library asks the browser about them first. */
let browserAnswers: Promise<void>;

vi.mock('@simplewebauthn/browser', () => ({
  async startAuthentication({ useBrowserAutofill }: { useBrowserAutofill: boolean }) {
    if (useBrowserAutofill) await browserAnswers;
    begun.at(-1)?.end(named('AbortError'));
    return new Promise((resolve, reject) => {
      const end = (by: typeof signed | Error) => (by instanceof Error ? reject(by) : resolve(by));
      begun.push({ isSuggestion: useBrowserAutofill, end });
    });
  },
  WebAuthnAbortService: { cancelCeremony: () => begun.at(-1)?.end(named('AbortError')) },
}));

beforeEach(() => {
  begun = [];
  browserAnswers = Promise.resolve();
});
const ends = (request: Promise<unknown>, name: string) =>
  expect(request).rejects.toThrow(expect.objectContaining({ name }));
const asked = (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count), 10_000);

it('a newer request ends the older', async () => {
  const suggestion = signWithPasskey(options, true);
  await asked(1);
  const press = signWithPasskey(options);
  await ends(suggestion, 'AbortError');
  await asked(2);
  begun[1]?.end(signed);
  await expect(press).resolves.toMatchObject({ id: 'i' });
});

it('a suggestion that is still loading gives way to a press', async () => {
  const suggestion = signWithPasskey(options, true);
  const press = signWithPasskey(options);
  await ends(suggestion, 'AbortError');
  await asked(1);
  expect(begun[0]?.isSuggestion).toBe(false);
  begun[0]?.end(signed);
  await expect(press).resolves.toMatchObject({ id: 'i' });
});

it('a suggestion that begins late and so ends the press does not have the last word', async () => {
  const answer = Promise.withResolvers<void>();
  browserAnswers = answer.promise;
  const suggestion = ends(signWithPasskey(options, true), 'AbortError');
  // It has loaded, and waits for the browser.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const press = signWithPasskey(options);
  await asked(1);
  answer.resolve();
  await asked(3);
  expect(begun.map(({ isSuggestion }) => isSuggestion)).toEqual([false, true, false]);
  await suggestion;
  begun[2]?.end(named('NotAllowedError'));
  await ends(press, 'NotAllowedError');
});

it('a press is not asked again once the page is left', async () => {
  const press = signWithPasskey(options);
  await asked(1);
  endPasskeyRequest();
  await ends(press, 'AbortError');
  expect(begun).toHaveLength(1);
});
