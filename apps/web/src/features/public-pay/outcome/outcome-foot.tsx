import { t as shared } from '../../../paying/outcome/outcome-messages.ts';
import { contactsOf } from '../form/pay-foot.tsx';
import { isNotOffered } from '../link/pay-readings.ts';
import styles from '../pay.module.css';
import type { PayView } from '../pay-view.ts';
import { t } from './outcome-messages.ts';

/** Below an outcome: whether anything is left to do, whom to ask, and the way to all invoices. */
export function OutcomeFoot({ view }: { readonly view: PayView }) {
  const { state } = view;
  const signIn = <a href="/login">{t('foot.signIn')}</a>;
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
  const { email, phone } = contactsOf(view);
  // Where it cannot be paid here, they stand with how to pay it.
  const contacts = state === 'misconfigured' ? '' : [phone, email].filter(Boolean).join(', ');
  return (
    <p className={styles.foot}>
      {contacts && <span>{shared('foot.support', { contacts })}</span>}
      {(state === 'loadFailed' || (state === 'misconfigured' && isNotOffered(view))) && signIn}
    </p>
  );
}
