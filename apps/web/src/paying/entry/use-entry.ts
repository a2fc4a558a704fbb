import type { EntryConfig } from '@counterfoil/contract/entry-config.ts';
import { browserEntries } from '@counterfoil/gateways/browser-registry.ts';
import type { MethodEntry, MethodKind } from '@counterfoil/gateways/port/browser.ts';
import { useCallback, useEffect, useState } from 'react';

/** Whether the portal can take methods so. */
export const canTake = ({ integrationType }: Pick<EntryConfig, 'integrationType' | 'how'>): boolean =>
  integrationType in browserEntries;

export interface LoadedEntry {
  readonly entry: MethodEntry | undefined;
  /** Its code did not come. */
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** The way of entry of a form; made once for each configuration, so that what was typed stays. */
export function useEntry(kind: MethodKind, config: EntryConfig): LoadedEntry {
  const [entry, setEntry] = useState<MethodEntry>();
  const [hasFailed, setFailed] = useState(false);
  const [round, setRound] = useState(0);
  // Another object with the same content is the same configuration.
  const content = JSON.stringify(config);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts over after a failure
  useEffect(() => {
    let isOver = false;
    const made = JSON.parse(content) as EntryConfig;
    setFailed(false);
    browserEntries[made.integrationType]?.().then(
      ({ createEntry }) => {
        if (!isOver) setEntry(createEntry(kind, made));
      },
      () => {
        if (!isOver) setFailed(true);
      },
    );
    return () => {
      isOver = true;
    };
  }, [kind, content, round]);
  const retry = useCallback(() => setRound((now) => now + 1), []);
  return { entry, hasFailed, retry };
}
