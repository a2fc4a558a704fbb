import { Link, useRouterState } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Lockup } from '../brand/lockup.tsx';
import { areasIn } from '../lib/area.ts';
import { usePortal } from '../lib/portal/portal-context.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { useDismiss } from '../ui/overlays/use-dismiss.ts';
import { areas } from './areas.ts';
import { CustomerSelector } from './customer-selector.tsx';
import styles from './header.module.css';
import { MenuSheet, sheetId } from './menu-sheet.tsx';
import { t } from './messages.ts';

/** The bar above every signed-in page: whose portal, where to go, for which customer. */
export function Header({ onSwitch }: { readonly onSwitch: () => void }) {
  const portal = usePortal();
  const [sheetOpen, setSheetOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const within = areas.find((area) => area.path === path)?.within;
  const header = useRef<HTMLElement>(null);
  const burger = useRef<HTMLButtonElement>(null);
  useDismiss(header, sheetOpen, (returnFocus) => {
    setSheetOpen(false);
    if (returnFocus) burger.current?.focus();
  });
  return (
    <header className={styles.header} ref={header}>
      <div className={styles.bar}>
        <Link className={styles.home} to="/">
          <Lockup
            brandId={portal.brand.id}
            name={portal.resellerName}
            nameClass={styles.name}
            below={
              portal.customer && (
                <span className={styles.context} dir="auto">
                  {portal.customer.label}
                </span>
              )
            }
          />
        </Link>
        <nav className={styles.nav} aria-label={t('shell.mainMenu')}>
          <ul>
            {areasIn('menu', areas, portal).map((area) => (
              <li key={area.path}>
                <Link
                  to={area.path}
                  aria-current={area.path === within ? 'page' : undefined}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {area.label(portal)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {portal.me.customers.length > 1 && (
          <div className={styles.selector}>
            <CustomerSelector triggerClass={styles.customer} onSwitch={onSwitch}>
              <span className={styles.customerText}>
                <small>{t('shell.customer')}</small>
                <b dir="auto">{portal.customer?.label}</b>
              </span>
            </CustomerSelector>
          </div>
        )}
        <SettingsMenu />
        <button
          ref={burger}
          className={classNames(styles.button, styles.burger)}
          type="button"
          aria-label={t('shell.menu')}
          aria-expanded={sheetOpen}
          aria-controls={sheetOpen ? sheetId : undefined}
          onClick={() => setSheetOpen(!sheetOpen)}
        >
          <Icon name={sheetOpen ? 'close' : 'menu'} large />
        </button>
      </div>
      {sheetOpen && <MenuSheet onClose={() => setSheetOpen(false)} onSwitch={onSwitch} />}
    </header>
  );
}

/** Links that hang from a button: Change Password, Payment Types, Log Out; only those that exist. */
function SettingsMenu() {
  const portal = usePortal();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  useDismiss(root, open, (returnFocus) => {
    setOpen(false);
    if (returnFocus) trigger.current?.focus();
  });
  return (
    <div className={styles.settings} ref={root}>
      <button
        ref={trigger}
        className={styles.button}
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t('shell.settings')}
        <Icon name="down" />
      </button>
      {open && (
        <ul className={styles.menu}>
          {areasIn('settings', areas, portal).map((area) => (
            <li key={area.path}>
              <Link to={area.path} activeProps={{ 'aria-current': 'page' }} onClick={() => setOpen(false)}>
                {area.label(portal)}
              </Link>
            </li>
          ))}
          <li>
            <Link to="/logout">{t('shell.logOut')}</Link>
          </li>
        </ul>
      )}
    </div>
  );
}
