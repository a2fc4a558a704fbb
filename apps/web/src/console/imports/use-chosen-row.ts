import { useState } from 'react';
import { useKeys } from '../shell/use-keys.ts';

/** J and K choose a row, on which further keys act. @returns it */
export function useChosenRow<Row>(rows: readonly Row[], idOf: (row: Row) => string): Row | undefined {
  const [id, setId] = useState<string>();
  const at = rows.findIndex((row) => idOf(row) === id);
  const step = (by: number) => () => {
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next !== undefined) setId(idOf(next));
  };
  useKeys({ j: step(1), k: step(-1) });
  return rows[at];
}
