import { useRouter, useRouterState } from '@tanstack/react-router';
import { type Ref, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { KeyOf } from '../parts/key.tsx';
import { t } from './messages.ts';
import styles from './shell.module.css';

/** Finds customers from every page. What is typed is looked for with Enter; the list says what was found. */
export function FindField({ inputRef }: { readonly inputRef: Ref<HTMLInputElement> }) {
  const router = useRouter();
  const asked = useRouterState({
    select: ({ location }) => String((location.search as { readonly q?: unknown }).q ?? ''),
  });
  const [typed, setTyped] = useState(asked);
  const [before, setBefore] = useState(asked);
  // The address is what counts: Back brings back what was looked for.
  if (before !== asked) {
    setBefore(asked);
    setTyped(asked);
  }
  return (
    <search className={styles.find}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const q = typed.trim();
          void router.navigate({
            to: '/admin/customers' as never,
            search: (q === '' ? {} : { q }) as never,
          });
        }}
      >
        <Icon name="search" className={styles.glass} />
        <input
          ref={inputRef}
          type="search"
          name="q"
          aria-label={t('find')}
          placeholder={t('find.hint')}
          autoComplete="off"
          spellCheck="false"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <KeyOf>/</KeyOf>
      </form>
    </search>
  );
}
