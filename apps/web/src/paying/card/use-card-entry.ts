import type { CardEntry as CardSettings } from '@counterfoil/contract/public-pay.ts';
import { browserEntries } from '@counterfoil/gateways/browser-registry.ts';
import type { CardEntry } from '@counterfoil/gateways/port/browser.ts';
import { useCallback, useEffect, useState } from 'react';

/** Whether the portal has input fields for a gateway. */
export const canTakeCards = (integrationType: string): boolean => integrationType in browserEntries;

interface LoadedEntry {
  readonly entry: CardEntry | undefined;
  /** The fields' code did not come. */
  readonly failed: boolean;
  readonly retry: () => void;
}

/** The gateway's own card fields; made once for each configuration, so that what was typed stays. */
export function useCardEntry(settings: CardSettings): LoadedEntry {
  const { integrationType, publishableKey, scriptUrl, separateInputs } = settings;
  const [entry, setEntry] = useState<CardEntry>();
  const [failed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts over after a failure
  useEffect(() => {
    let isOver = false;
    setFailed(false);
    browserEntries[integrationType]?.().then(
      ({ createCardEntry }) => {
        if (!isOver) setEntry(createCardEntry({ publishableKey, scriptUrl, separateInputs }));
      },
      () => {
        if (!isOver) setFailed(true);
      },
    );
    return () => {
      isOver = true;
    };
  }, [integrationType, publishableKey, scriptUrl, separateInputs, round]);
  const retry = useCallback(() => setRound((now) => now + 1), []);
  return { entry, failed, retry };
}
