import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/overlays/spinner.tsx';
import { useDismiss } from '../../ui/overlays/use-dismiss.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { KeyOf } from '../parts/key.tsx';
import { HitList } from './hit-list.tsx';
import { t } from './messages.ts';
import { LEAST_TYPED, MOST_COUNTED, searchQuery } from './queries.ts';
import styles from './search.module.css';
import { type AnyHit, groupsOf, kindsShown, type Shown } from './search-model.ts';

/** How long nothing has to be typed before it is looked for. */
const SETTLES_MS = 120;
const nextKind = (shown: Shown, isBackwards: boolean): Shown | undefined =>
  kindsShown[kindsShown.indexOf(shown) + (isBackwards ? -1 : 1)];

/** How long before it is counted too, which reads more. */
const COUNTED_MS = 500;

function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}

/**
 * One field that finds customers, users, invoices and service items from every page. It is a combo box: the field keeps the
 * focus, arrow keys go through what was found, the best match is chosen already, Enter opens it.
 */
export function SearchField({ inputRef }: { readonly inputRef: Ref<HTMLInputElement> }) {
  const router = useRouter();
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  // Enter before the answer is there: it opens the best match as soon as that is known.
  const [isAwaited, setAwaited] = useState(false);
  const text = typed.trim();
  const settled = useSettled(text, SETTLES_MS);
  const found = useQuery(searchQuery(settled));
  const isCurrent = settled === text && !found.isPlaceholderData && found.data !== undefined;
  const [shown, setShown] = useState<Shown>('everything');
  const counted = useSettled(text, COUNTED_MS);
  const wide = useQuery(searchQuery(counted, MOST_COUNTED));
  const isWide = counted === text && !wide.isPlaceholderData && wide.data !== undefined;
  const results = shown !== 'everything' && isWide ? wide.data : found.data;
  const groups = (
    results === undefined || text.length < LEAST_TYPED ? [] : groupsOf(results, settled)
  ).filter(({ kind }) => shown === 'everything' || kind === shown);
  const hits = groups.flatMap((group) => group.hits);
  const isShown = isOpen && text.length >= LEAST_TYPED;
  const close = () => {
    setOpen(false);
    setShown('everything');
  };
  const show = (kind: Shown) => {
    setShown(kind);
    setChosen(0);
  };
  useDismiss(root, isShown, close);

  const open = (hit: AnyHit | undefined, inNewTab: boolean) => {
    if (hit === undefined || hit.path === null) return;
    if (inNewTab) {
      globalThis.open(hit.path, '_blank', 'noopener');
      return;
    }
    setTyped('');
    close();
    void router.navigate({ to: hit.path as never });
  };
  useEffect(() => {
    if (!isAwaited || !isCurrent) return;
    setAwaited(false);
    open(hits[0], false);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // While an input method composes, Enter and arrows belong to it.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      setOpen(true);
      setChosen((chosen + step + hits.length) % hits.length);
    } else if (event.key === 'Enter' && text.length >= LEAST_TYPED) {
      if (isCurrent) open(hits[chosen], event.metaKey || event.ctrlKey);
      else setAwaited(true);
    } else if (event.key === 'Tab' && isShown && nextKind(shown, event.shiftKey) !== undefined) {
      // Past the last kind, as past the first one backwards, Tab leaves the field.
      show(nextKind(shown, event.shiftKey) ?? shown);
    } else if (event.key === 'Escape' && (isShown || typed !== '')) {
      if (isShown) close();
      else setTyped('');
    } else return;
    event.preventDefault();
  };
  const current = hits[chosen];
  return (
    <search className={styles.field} ref={root}>
      <Icon name="search" className={styles.glass} />
      <input
        ref={inputRef}
        type="text"
        role="combobox"
        aria-label={t('label')}
        aria-keyshortcuts="/"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && current ? `${id}-${current.key}` : undefined}
        placeholder={t('hint')}
        autoComplete="off"
        spellCheck="false"
        maxLength={100}
        value={typed}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
          setAwaited(false);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      {isShown && !isCurrent && !found.isError ? (
        <span className={styles.busy}>
          <Spinner />
        </span>
      ) : (
        <KeyOf>/</KeyOf>
      )}
      {isShown && (
        <HitList
          id={id}
          groups={groups}
          typed={settled}
          chosen={current?.key}
          shown={shown}
          counts={isWide ? wide.data : undefined}
          onShow={show}
          hasFailed={found.isError && settled === text}
          isCurrent={isCurrent}
          onChoose={(hit) => setChosen(hits.indexOf(hit))}
          onOpen={open}
          onAll={() => {
            close();
            void router.navigate({ to: '/admin/customers' as never, search: { q: text } as never });
          }}
        />
      )}
      <VisuallyHidden role="status">
        {isShown &&
          (isCurrent
            ? t('kind.chosen', { kind: t(shown), found: t('found', { count: hits.length }) })
            : t('searching'))}
      </VisuallyHidden>
    </search>
  );
}
