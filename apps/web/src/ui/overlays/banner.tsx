import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../text/common.ts';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import styles from './banner.module.css';

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
export function Banner({ tone, children, onClose }: BannerProps) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<EventTarget>(null);
  useLayoutEffect(() => {
    const banner = box.current;
    return () => {
      // It goes with the focus in it: that returns to where it was, else the page is read on from its beginning.
      if (!banner?.contains(document.activeElement)) return;
      const last = before.current;
      const target = last instanceof HTMLElement && last.isConnected ? last : banner.closest('main');
      target?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div
      ref={box}
      className={classNames(styles.banner, styles[tone])}
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      <Icon name={icons[tone]} />
      <div className={styles.text}>{children}</div>
      {onClose && (
        <button
          className={styles.close}
          type="button"
          aria-label={t('error.close')}
          onClick={onClose}
          onFocus={({ relatedTarget }) => {
            before.current = relatedTarget;
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
