import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type Values<Name extends string> = { readonly [N in Name]: string | undefined };

/**
 * Texts held in the URL, for filters with many choices: `const [chosen, choose] = useUrlParameters(['period'] as const)`.
 * A change goes back to page 1; what is undefined is left out of the URL.
 * @param names must stay the same over renders
 * @param replace no step of the browser's history for each change: for what is typed
 */
export function useUrlParameters<const Name extends string>(
  names: readonly Name[],
  { replace = false }: { readonly replace?: boolean } = {},
): readonly [Values<Name>, (change: Partial<Values<Name>>) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = useMemo(
    () => Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Values<Name>,
    [names, search],
  );
  const change = useCallback(
    (next: Partial<Values<Name>>) => {
      void navigate({
        to: '.',
        search: ((previous: Record<string, unknown>) => ({ ...previous, page: undefined, ...next })) as never,
        resetScroll: false,
        replace,
      });
    },
    [navigate, replace],
  );
  return [values, change];
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);
