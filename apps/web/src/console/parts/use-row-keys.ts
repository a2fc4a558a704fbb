import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useKeys } from '../shell/use-keys.ts';

/**
 * J and K choose a row of a list, Enter opens it.
 * @returns the row that is chosen
 */
export function useRowKeys<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  pathOf: (row: Row) => string,
): Row | undefined {
  const router = useRouter();
  const [id, setId] = useState<string>();
  const at = rows.findIndex((row) => idOf(row) === id);
  const chosen = rows[at];
  const step = (by: number) => () => {
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) setId(idOf(next));
  };
  useKeys({
    j: step(1),
    k: step(-1),
    // On a link or a button Enter is that one's.
    enter:
      chosen !== undefined && document.activeElement?.matches('a, button') !== true
        ? () => void router.navigate({ to: pathOf(chosen) as never })
        : undefined,
  });
  useEffect(() => {
    if (id !== undefined) document.querySelector('[data-chosen]')?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return chosen;
}
