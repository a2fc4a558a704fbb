/** What may have happened to a second factor. `removed`: by the provider, at the person's request. */
export type SecondFactorEvent = 'on' | 'replaced' | 'off' | 'removed' | 'newCodes' | 'recoveryUsed';

const LEFT = new Intl.PluralRules('en');

/** What happened to a second factor, in one or two sentences. */
export function secondFactorSentence(event: SecondFactorEvent, codesLeft = 0): string {
  if (event !== 'recoveryUsed') return secondFactorSentences[event];
  const left = LEFT.select(codesLeft) === 'one' ? '1 is left' : `${codesLeft} are left`;
  return `Somebody signed in to your account with a recovery code. ${left}; make new ones on the Security page in time.`;
}

const secondFactorSentences: Readonly<Record<Exclude<SecondFactorEvent, 'recoveryUsed'>, string>> = {
  on: 'Two-step sign-in was turned on. You have been signed out everywhere else.',
  replaced:
    'Two-step sign-in was moved to another authenticator app. You have been signed out everywhere else.',
  off: 'Two-step sign-in was turned off. You have been signed out everywhere else.',
  removed: 'Two-step sign-in was turned off by us, as you asked. You have been signed out everywhere.',
  newCodes: 'New recovery codes were made. The old ones no longer work.',
};
