import { Link } from '@tanstack/react-router';
import { usePortal } from '../lib/portal/portal-context.ts';
import { DeviceIcon } from '../ui/data/device-icon.tsx';
import { buttonClass } from '../ui/fields/button.tsx';
import { t } from './messages.ts';
import styles from './support-strip.module.css';

/** For the menu that covers it on small screens. */
export const supportStripId = 'support';

/** Across every page while support is signed in as a user: who looks, as whom, and the way out. */
export function SupportStrip() {
  const { actor, me } = usePortal();
  const label = t('support.label');
  return (
    <section className={styles.strip} id={supportStripId} aria-label={label}>
      <div className={styles.bar}>
        <DeviceIcon name="person" />
        <p className={styles.text}>
          <b>{label}.</b> {t('support.text', { actor: actor ?? '', name: me.displayName, email: me.email })}
        </p>
        <Link className={buttonClass({ size: 'small' })} to="/logout">
          {t('support.end')}
        </Link>
      </div>
    </section>
  );
}
