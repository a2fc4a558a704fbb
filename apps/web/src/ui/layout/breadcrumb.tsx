import type { MouseEvent } from 'react';
import { t } from '../../text/common.ts';
import { buttonClass } from '../fields/button.tsx';
import { Icon } from '../icon.tsx';
import styles from './page.module.css';

interface BreadcrumbProps {
  /** The page above: its label and address. */
  readonly parent: { readonly label: string; readonly href: string };
  readonly current: string;
  /** Lets a router take the step instead of the browser. */
  readonly onNavigate?: (event: MouseEvent<HTMLAnchorElement>) => void;
}

/** A back button and '{parent} / {current}'. */
export const Breadcrumb = ({ parent, current, onNavigate }: BreadcrumbProps) => (
  <nav aria-label={t('crumbs.label')}>
    <ol className={styles.crumbs}>
      <li>
        <a
          className={buttonClass({ variant: 'quiet', iconOnly: true }, styles.back)}
          href={parent.href}
          aria-label={t('action.back', { place: parent.label })}
          onClick={onNavigate}
        >
          <Icon name="back" />
        </a>
        <a href={parent.href} onClick={onNavigate}>
          {parent.label}
        </a>
      </li>
      <li aria-current="page">{current}</li>
    </ol>
  </nav>
);
