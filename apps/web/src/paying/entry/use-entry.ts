import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import { browserEntries, standardEntry } from '@counterfoil/gateways/browser-registry.ts';
import type { MethodEntry, MethodKind } from '@counterfoil/gateways/port/browser.ts';
import { useCallback, useEffect, useState } from 'react';

/** Ways of entry that need no code of the gateway's own. */
const standardWays: ReadonlySet<EntryConfig['how']> = new Set(['ownFieldsToUs', 'providerFrame', 'redirect']);

/** The code of a way of entry: the gateway's own, else the standard one; undefined: the portal has none. */
const codeOf = ({ integrationType, how }: Pick<EntryConfig, 'integrationType' | 'how'>) =>
  browserEntries[integrationType] ?? (standardWays.has(how) ? standardEntry : undefined);

/** Whether the portal can take methods so. */
export const canTake = (config: Pick<EntryConfig, 'integrationType' | 'how'>): boolean =>
  codeOf(config) !== undefined;

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
    codeOf(made)?.()
      .then(({ createEntry }) => createEntry(kind, made))
      .then(
        (created) => {
          if (!isOver) setEntry(created);
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
