import { runtimeConfig } from '../../../lib/page/runtime-config.ts';
import { Icon } from '../../../ui/icon.tsx';
import { t } from '../messages.ts';
import styles from '../pay.module.css';
import type { PayView } from '../pay-view.ts';

/** Whom to ask about this payment; empty texts where the brand has not said. */
export const contactsOf = ({ info }: PayView) => ({
  email: info?.supportEmail ?? runtimeConfig.brand?.supportEmail ?? '',
  phone: info?.supportPhone ?? runtimeConfig.brand?.supportPhone ?? '',
});

/** Below the form: where the card goes, and whom to ask. */
export function PayFoot({ view }: { readonly view: PayView }) {
  const { email, phone } = contactsOf(view);
  const ways = [view.info?.brandSettings?.how, view.info?.bank?.entry.how];
  // Numbers that pass through this server go straight to nobody.
  const passes = ways.includes('ownFieldsToUs') || ways.includes('ownFieldsEncrypted');
  const subject = encodeURIComponent(view.info?.InvoiceNumber ?? '');
  return (
    <p className={styles.foot}>
      <span className={styles.direct}>
        <Icon name="lock" />
        {t(passes ? 'foot.through' : 'foot.direct', { what: view.info?.bank ? 'Payment' : 'Card' })}
      </span>
      {email && <a href={`mailto:${email}?subject=${subject}`}>{t('foot.help')}</a>}
      {!email && phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{t('foot.help')}</a>}
    </p>
  );
}
