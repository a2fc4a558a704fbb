import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { areasIn } from '../lib/area.ts';
import { usePortal } from '../lib/portal/portal-context.ts';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { areas } from './areas.ts';
import { CustomerSelector } from './customer-selector.tsx';
import { t } from './messages.ts';
import styles from './sheet.module.css';
import { supportStripId } from './support-strip.tsx';

/** For the button that opens it. */
export const sheetId = 'menu-sheet';

interface MenuSheetProps {
  readonly onClose: () => void;
  readonly onSwitch: () => void;
}

/** The menu of small screens: customer first, areas, a line, settings; the rest of the page is inert. */
export function MenuSheet({ onClose, onSwitch }: MenuSheetProps) {
  const portal = usePortal();
  useInertPage();
  useCloseWhenWide(onClose);
  const link = (path: string, label: string) => (
    <li key={path}>
      <Link to={path} activeProps={{ 'aria-current': 'page' }} onClick={onClose}>
        {label}
      </Link>
    </li>
  );
  const settings = areasIn('settings', areas, portal);
  return (
    <div className={styles.sheet} id={sheetId}>
      {portal.me.customers.length > 1 && (
        <div className={styles.customer}>
          <span aria-hidden="true">{t('shell.customer')}</span>
          <CustomerSelector triggerClass={styles.trigger} onSwitch={onSwitch}>
            <span>
              <VisuallyHidden>{t('shell.customer')} </VisuallyHidden>
              <bdi>{portal.customer?.label}</bdi>
            </span>
          </CustomerSelector>
        </div>
      )}
      <nav aria-label={t('shell.mainMenu')}>
        <ul>{areasIn('menu', areas, portal).map((area) => link(area.path, area.label(portal)))}</ul>
        <ul>
          {settings.map((area) => link(area.path, area.label(portal)))}
          {link('/logout', t('shell.logOut'))}
        </ul>
      </nav>
    </div>
  );
}

/** The sheet and its button belong to narrow windows (header.module.css): one made wide must not stay covered. */
function useCloseWhenWide(onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    const wide = globalThis.matchMedia('(min-width: 70rem)');
    const close = () => {
      if (wide.matches) latest.current();
    };
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, []);
}

/** While the sheet covers the page, the page takes neither focus nor scrolling. */
function useInertPage(): void {
  useEffect(() => {
    const covered = [...document.querySelectorAll(`main, #${supportStripId}`)];
    const root = document.documentElement;
    for (const part of covered) part.toggleAttribute('inert', true);
    root.style.overflow = 'hidden';
    return () => {
      for (const part of covered) part.toggleAttribute('inert', false);
      root.style.overflow = '';
    };
  }, []);
}
