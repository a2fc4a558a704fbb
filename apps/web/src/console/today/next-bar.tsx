import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonClass } from '../../ui/fields/button.tsx';
import { KeyOf } from '../parts/key.tsx';
import { hasPlace } from '../shell/places.ts';
import { useKeys } from '../shell/use-keys.ts';
import { t } from './messages.ts';
import { needAt, needsIn, nextAfter } from './next-need.ts';
import { todayQueries } from './queries.ts';
import { SnoozeDialog } from './snooze-dialog.tsx';
import styles from './today.module.css';
import { whatOf } from './words.ts';

/** On the page of a thing that needs a person: puts it off, and leads to the next one. @param address path with its query */
export function NextBar({ address }: { readonly address: string }) {
  const router = useRouter();
  const { data } = useQuery(todayQueries.needs);
  const needs = needsIn(data).filter(({ path }) => hasPlace(path));
  const need = needAt(needs, address);
  // Once it is seen to it is no longer there, and the way on stays.
  const [place, setPlace] = useState<number>();
  if (need !== undefined && place === undefined) setPlace(needs.indexOf(need));
  const [isSnoozing, setSnoozing] = useState(false);
  const next = place === undefined ? undefined : nextAfter(needs, place, address);
  const goOn = () => void router.navigate({ to: (next?.path ?? '/admin/today') as never });
  useKeys({
    n: place === undefined ? undefined : goOn,
    z: need === undefined ? undefined : () => setSnoozing(true),
  });
  if (place === undefined) return null;
  return (
    <nav className={styles.nextBar} aria-label={t('next.label')}>
      <span>{t(need === undefined ? 'next.seen' : 'next.needs')}</span>
      <span className={styles.nextActs}>
        {need !== undefined && (
          <Button size="small" variant="quiet" aria-keyshortcuts="z" onClick={() => setSnoozing(true)}>
            {t('snooze')} <KeyOf>Z</KeyOf>
          </Button>
        )}
        <Link
          className={buttonClass({ size: 'small' })}
          to={(next?.path ?? '/admin/today') as never}
          aria-keyshortcuts="n"
        >
          <span className={styles.nextWhat} dir="auto">
            {next === undefined ? t('next.none') : t('next.to', { what: whatOf(next) })}
          </span>{' '}
          <KeyOf>N</KeyOf>
        </Link>
      </span>
      {isSnoozing && need !== undefined && (
        <SnoozeDialog need={need} onDone={goOn} onClose={() => setSnoozing(false)} />
      )}
    </nav>
  );
}
