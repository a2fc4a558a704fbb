import type { ReactNode } from 'react';
import { t } from '../messages/common.ts';
import styles from './banner.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

const icons = { danger: 'alert', info: 'clock', warning: 'alert', success: 'check' } satisfies Record<
  string,
  IconName
>;

interface BannerProps {
  readonly tone: keyof typeof icons;
  readonly children: ReactNode;
  /** With it the banner has a close button. */
  readonly onClose?: (() => void) | undefined;
}

/** A message about the whole page, above its title. Danger interrupts a screen reader, the others wait. */
export const Banner = ({ tone, children, onClose }: BannerProps) => (
  <div className={classNames(styles.banner, styles[tone])} role={tone === 'danger' ? 'alert' : 'status'}>
    <Icon name={icons[tone]} />
    <div className={styles.text}>{children}</div>
    {onClose && (
      <button className={styles.close} type="button" aria-label={t('error.close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    )}
  </div>
);
