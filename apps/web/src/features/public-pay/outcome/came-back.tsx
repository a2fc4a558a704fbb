import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { formatMoment } from '../../../lib/values/moment.ts';
import { formatMoney } from '../../../text/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import styles from '../pay.module.css';
import { t } from './came-back-messages.ts';

/** What became of a payment that once was under way at the bank, or had paid: the invoice is due again. */
export function CameBack({ info, label }: { readonly info: PaymentInfo; readonly label: string }) {
  const { attempt } = info;
  if (attempt === null) return null;
  const facts = {
    amount: formatMoney(attempt.amount),
    day: formatMoment(attempt.at).day,
    label: label.toLocaleLowerCase(),
  };
  return (
    <p className={styles.paused} role="status">
      <Icon name="alert" />
      {attempt.isTakenBack
        ? t('taken', facts)
        : t('failed', { ...facts, reason: (attempt.message ?? '').replace(/\.$/, '') })}
    </p>
  );
}
