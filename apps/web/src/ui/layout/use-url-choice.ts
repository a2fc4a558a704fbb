import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * One of a few values held in the URL, for tabs and filters: `const [tab, setTab] = useUrlChoice('tab', ['details',
 * 'usage'])`. The first value is the default and is left out of the URL; an unknown one counts as the default.
 */
export function useUrlChoice<const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): readonly [Choice, (choice: Choice) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [initial] = choices;
  const chosen = choices.find((choice) => choice === search[name]) ?? initial;
  const choose = useCallback(
    (choice: Choice) => {
      void navigate({
        to: '.',
        search: ((previous: Record<string, unknown>) => ({
          ...previous,
          [name]: choice === initial ? undefined : choice,
        })) as never,
        resetScroll: false,
      });
    },
    [navigate, name, initial],
  );
  return [chosen, choose];
}
