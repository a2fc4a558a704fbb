import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { Link } from '@tanstack/react-router';
import { invoiceLines, totalWith } from '../../paying/bulk/intent-rows.ts';
import { OtherWayHere } from '../../paying/otherwise/other-way.tsx';
import { t as words } from '../../paying/otherwise/pay-otherwise-messages.ts';
import { formatMoney } from '../../text/format.ts';
import { buttonClass } from '../../ui/fields/button.tsx';
import styles from './bulk-pay.module.css';
import { t } from './messages.ts';

/** Nothing is saved, and the provider takes saved methods only. */
export const NoMethod = () => (
  <div className={styles.none}>
    <p>{t('methods.none')}</p>
    <Link to="/payment-types" className={buttonClass({})}>
      {t('methods.configure')}
    </Link>
  </div>
);

interface NoGatewayProps {
  readonly intent: PaymentIntent;
  readonly isPaused: boolean;
}

/** The gateway takes nothing at the moment: how to pay otherwise, before anything is chosen or typed. */
export function NoGateway({ intent, isPaused }: NoGatewayProps) {
  return (
    <div className={styles.none}>
      <p>{words(isPaused ? 'paused' : 'unavailable')}</p>
      <OtherWayHere
        numbers={invoiceLines(intent).map(({ invoiceNumber }) => invoiceNumber)}
        amount={formatMoney(totalWith(intent, undefined), { currency: intent.currency })}
      />
    </div>
  );
}
