import { runtimeConfig } from '../../lib/runtime-config.ts';
import { Icon } from '../../ui/icon.tsx';
import { t } from './messages.ts';
import styles from './pay.module.css';
import type { PayView } from './pay-view.ts';

/** Below the slip: where the card goes, whom to ask, and the way to all invoices. */
export function PayFoot({ view: { state, info } }: { readonly view: PayView }) {
  const email = info?.supportEmail ?? runtimeConfig.brand?.supportEmail ?? '';
  const phone = info?.supportPhone ?? runtimeConfig.brand?.supportPhone ?? '';
  const contacts = [phone, email].filter(Boolean).join(', ');
  const signIn = <a href="/login">{t('foot.signIn')}</a>;
  if (state === 'form' || state === 'submitting') {
    const subject = encodeURIComponent(info?.InvoiceNumber ?? '');
    return (
      <p className={styles.foot}>
        <span className={styles.direct}>
          <Icon name="lock" />
          {t('foot.direct')}
        </span>
        {email && <a href={`mailto:${email}?subject=${subject}`}>{t('foot.help')}</a>}
        {!email && phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{t('foot.help')}</a>}
      </p>
    );
  }
  if (state === 'success' || state === 'paid' || state === 'credited') {
    return (
      <p className={styles.foot}>
        <span>{t('foot.close')}</span>
        {signIn}
      </p>
    );
  }
  if (state === 'confirming' || state === 'submitted') {
    return <p className={styles.foot}>{t('confirming.close')}</p>;
  }
  if (state === 'loading') return null;
  return (
    <p className={styles.foot}>
      {contacts && <span>{t('foot.support', { contacts })}</span>}
      {state === 'loadFailed' && signIn}
    </p>
  );
}
