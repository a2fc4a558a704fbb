import type { PasskeyChallenge } from '@counterfoil/contract/people/passkeys.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openApi } from '../../lib/api/open-api.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { canSuggestPasskeys, endPasskeyRequest, hasPasskeys, signWithPasskey } from '../../lib/passkeys.ts';
import { session } from '../../lib/session/session-store.ts';
import { DeviceIcon } from '../../ui/data/device-icon.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { t } from './passkey-messages.ts';
import { type PasskeyOutcome, type PasskeyParts, signInByPasskey } from './passkey-sign-in.ts';
import { ssoAddress } from './sign-in.ts';

/** What suggestions sign is good for five minutes: it is renewed before. */
const RENEWED_AFTER_MS = 4 * 60_000;

const never = () => () => undefined;

interface PasskeyButtonProps {
  /** The session is stored: leave for the portal. */
  readonly onSignedIn: () => void;
}

/**
 * Sign-in by passkey alone: by a button, and where browsers can, among the suggestions for the user name. Drawn by
 * the server too; taken away where the browser has no passkeys.
 */
export function PasskeyButton({ onSignedIn }: PasskeyButtonProps) {
  const isOffered = useSyncExternalStore(never, hasPasskeys, () => true);
  const { busy, problem, press, forget } = usePasskey(onSignedIn);
  if (!isOffered) return null;
  return (
    <>
      {problem !== undefined && (
        <Banner tone="warning" onClose={forget}>
          {problem}
        </Banner>
      )}
      <Button size="tall" wide busy={busy} busyLabel={t('passkey.busy')} onClick={() => void press()}>
        <DeviceIcon name="key" />
        {t('passkey.action')}
      </Button>
    </>
  );
}

function usePasskey(onSignedIn: () => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const leave = useRef(onSignedIn);
  useEffect(() => {
    leave.current = onSignedIn;
  });
  // Suggestions give way to the button: two requests at once would end each other.
  const isTaken = useRef(false);
  const suggest = useRef<() => Promise<void>>(() => Promise.resolve());

  useEffect(() => {
    isTaken.current = false;
    const start = async () => {
      if (isTaken.current || document.hidden || !(await canSuggestPasskeys())) return;
      let hasSigned = false;
      const outcome = await attempt(async (options) => {
        if (isTaken.current) throw new DOMException('The button was pressed', 'AbortError');
        const signed = await signWithPasskey(options, true);
        hasSigned = true;
        return signed;
      });
      // What fails before the person has chosen one is not worth a word.
      if (hasSigned && !isTaken.current) take(outcome, leave.current, setProblem);
    };
    suggest.current = start;
    const begin = () => void start();
    // Nobody waits for it, so it waits for everything else.
    const idle = globalThis.requestIdleCallback?.(begin) ?? setTimeout(begin);
    const timer = setInterval(begin, RENEWED_AFTER_MS);
    document.addEventListener('visibilitychange', begin);
    return () => {
      isTaken.current = true;
      (globalThis.cancelIdleCallback ?? clearTimeout)(idle);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', begin);
      endPasskeyRequest();
    };
  }, []);

  return {
    busy,
    problem,
    forget: () => setProblem(undefined),
    async press() {
      isTaken.current = true;
      setBusy(true);
      setProblem(undefined);
      const outcome = await attempt(signWithPasskey);
      // Leaving takes a moment; the button stays busy until the document is gone.
      if (take(outcome, leave.current, setProblem)) return;
      setBusy(false);
      isTaken.current = false;
      void suggest.current();
    },
  };
}

const attempt = (sign: PasskeyParts['sign']): Promise<PasskeyOutcome> =>
  signInByPasskey({
    fetch: globalThis.fetch.bind(globalThis),
    apiHost: runtimeConfig.apiHost,
    session,
    sign,
    challenge: () => openApi.post<PasskeyChallenge>('/v1/ec/passkey-challenge'),
  });

/** @returns whether the page is being left */
function take(outcome: PasskeyOutcome, leave: () => void, tell: (problem: string) => void): boolean {
  if (outcome.kind === 'signedIn') leave();
  else if (outcome.kind === 'company') {
    const r = new URLSearchParams(globalThis.location.search).get('r');
    globalThis.location.assign(ssoAddress(runtimeConfig.apiHost, outcome.company, r));
  } else if (outcome.kind === 'refused') tell(outcome.text);
  else if (outcome.kind === 'failed') reportFailure(outcome.error);
  return outcome.kind === 'signedIn' || outcome.kind === 'company';
}
