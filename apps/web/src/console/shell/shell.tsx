import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { PageArea, SkipLink } from '../../shell/page-area.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Drawing, Icon } from '../../ui/icon.tsx';
import { type Operator, OperatorContext, signOut } from '../operator.ts';
import { Key } from '../parts/key.tsx';
import { SearchField } from '../search/search-field.tsx';
import { NextBar } from '../today/next-bar.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { t } from './messages.ts';
import { PlaceEnd } from './place-end.tsx';
import { places, placesOfInstallation } from './places.ts';
import { ResellerChoice } from './reseller-choice.tsx';
import styles from './shell.module.css';
import { useKeys } from './use-keys.ts';

/** The frame of every page behind the sign-in: places at the side, search and reseller above. */
export function Shell({ operator }: { readonly operator: Operator }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const address = useRouterState({ select: (state) => state.resolvedLocation?.href });
  useEffect(() => {
    // Another page: what was opened to get there is in its way.
    if (path !== undefined) setOpen(false);
  }, [path]);
  const open = places.filter(
    ({ scope, path: to }) =>
      operator.scopes.includes(scope) && (operator.resellerId === null || !placesOfInstallation.has(to)),
  );
  const goTo = (to: string) => () => void router.navigate({ to: to as never });
  useKeys({
    '/': () => find.current?.focus(),
    '?': () => setShowsKeys(true),
    ...Object.fromEntries(open.map(({ key, path: to }) => [`g ${key}`, goTo(to)])),
  });
  return (
    <OperatorContext value={operator}>
      <SkipLink>{t('skip')}</SkipLink>
      <div className={styles.shell}>
        <aside
          className={classNames(styles.side, isOpen && styles.open)}
          id="console-side"
          aria-label={t('side')}
        >
          <Mark />
          <nav aria-label={t('nav')}>
            <ul>
              {open.map(({ key, path: to, label, drawing }) => (
                <li key={to}>
                  <Link to={to as never} aria-current={path?.startsWith(to) ? 'page' : undefined}>
                    <Drawing path={drawing} />
                    {t(label)}
                    <PlaceEnd path={to} letter={key.toUpperCase()} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <SideFoot operator={operator} onKeys={() => setShowsKeys(true)} />
        </aside>
        <div className={styles.main}>
          <header className={styles.top}>
            <Button
              className={styles.burger}
              variant="quiet"
              iconOnly
              aria-label={t('nav.open')}
              aria-expanded={isOpen}
              aria-controls="console-side"
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'close' : 'menu'} />
            </Button>
            <SearchField inputRef={find} />
            <ResellerChoice operator={operator} />
          </header>
          <PageArea className={styles.page}>
            {address !== undefined && <NextBar key={address} address={address} />}
            <Outlet />
          </PageArea>
        </div>
      </div>
      {showsKeys && <KeysDialog onClose={() => setShowsKeys(false)} />}
    </OperatorContext>
  );
}

/** A counterfoil, and the name. */
export const Mark = () => (
  <p className={styles.mark}>
    <svg viewBox="0 0 22 22" fill="none" stroke="currentColor" strokeWidth="1.8" aria-hidden="true">
      <rect x="1.5" y="3.5" width="19" height="15" rx="2.5" />
      <path d="M8 4v14" strokeDasharray="2 2.2" />
      <path d="M11.5 9h5.5M11.5 13h3.5" strokeLinecap="round" />
    </svg>
    {t('name')}
  </p>
);

interface SideFootProps {
  readonly operator: Operator;
  readonly onKeys: () => void;
}

/** Who is signed in, as what, and the way out. */
function SideFoot({ operator, onKeys }: SideFootProps) {
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    // Another document, so that nothing of what was shown stays in memory.
    await signOut().finally(() => globalThis.location.assign('/admin/sign-in'));
  };
  return (
    <div className={styles.foot}>
      <p className={styles.who}>
        <b dir="auto">{operator.displayName}</b>
        <span>{t(`role.${operator.role}`)}</span>
      </p>
      <div className={styles.footActs}>
        <Button size="small" busy={busy} busyLabel={t('signOut.busy')} onClick={() => void leave()}>
          {t('signOut')}
        </Button>
        <Button size="small" variant="quiet" aria-label={t('keys')} onClick={onKeys}>
          <Key>?</Key>
        </Button>
      </div>
    </div>
  );
}
