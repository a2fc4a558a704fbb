import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { formatMoment } from '../../../lib/values/moment.ts';
import { readerLocale } from '../../../text/catalogue.ts';
import { formatMoney } from '../../../text/format.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { t } from '../messages.ts';
import styles from '../pay.module.css';
import type { ShownPrice } from './part-price.ts';

interface PayActProps {
  readonly label: string;
  readonly info: PaymentInfo;
  /** Of what is to be paid. */
  readonly price: ShownPrice;
  /** What is typed, whoever takes it. */
  readonly form: {
    readonly ref?: RefObject<HTMLFormElement | null>;
    readonly missing: readonly string[];
    readonly busy: boolean;
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
  readonly submitting: boolean;
  /** The gateway's own page asks for the method. */
  readonly leaves?: boolean;
  /** Pressed while the amount cannot be paid. */
  readonly onWrongAmount: () => void;
  /** The fields. */
  readonly children: ReactNode;
  /** Below the button. */
  readonly notice?: ReactNode;
}

/** The form around the fields of a kind of method, and the one button of the page. */
export function PayAct({
  label,
  info,
  price,
  form,
  submitting,
  leaves = false,
  onWrongAmount,
  children,
  notice,
}: PayActProps) {
  const reasonId = useId();
  const missing = [...(price.isWrong ? [t('fact.part')] : []), ...form.missing];
  const { leastCharge, chargeStep, pausedUntil } = info;
  const isTooSmall = leastCharge !== null && Number(price.total) < Number(leastCharge);
  const isTooFine = chargeStep !== null && digits(price.total) % digits(chargeStep) !== 0n;
  const isRefused = isTooSmall || isTooFine || pausedUntil !== null;
  const isBlocked = missing.length > 0 || isRefused;
  const isBank = price.kind === 'bank';
  const how = isBank ? 'bank account' : 'card';
  return (
    // Outside a dialog this method sends nothing: before the script has arrived, nothing typed may leave in a URL.
    <form
      ref={form.ref}
      className={styles.form}
      method="dialog"
      onSubmit={(event) => {
        if (!price.isWrong && !isRefused) return form.onSubmit(event);
        event.preventDefault();
        if (price.isWrong) onWrongAmount();
      }}
      noValidate
      aria-label={label}
    >
      {pausedUntil !== null && (
        // Before anything is typed: nothing is taken now.
        <p className={styles.paused} id={reasonId} role="status">
          <Icon name="clock" />
          {t('form.paused', {
            what: isBank ? 'payments' : 'cards',
            time: formatMoment(pausedUntil).time,
          })}
        </p>
      )}
      {children}
      <div className={styles.act}>
        <div className={styles.press}>
          <Button
            type="submit"
            variant="primary"
            size="tall"
            wide
            busy={form.busy || submitting}
            busyLabel={t('form.busy')}
            aria-disabled={isBlocked || undefined}
            aria-describedby={isBlocked ? reasonId : undefined}
          >
            {t(leaves ? 'form.leave' : 'form.submit', { amount: formatMoney(price.total) })}
          </Button>
        </div>
        {isBlocked && pausedUntil === null && (
          <p className={styles.reason} id={reasonId}>
            {isTooSmall
              ? t('form.tooSmall', { how, amount: formatMoney(leastCharge) })
              : isTooFine
                ? t('form.amountNotRepresentable', { how, step: formatMoney(chargeStep) })
                : t('form.incomplete', { fields: new Intl.ListFormat(readerLocale()).format(missing) })}
          </p>
        )}
        {notice}
      </div>
    </form>
  );
}

/** A decimal text without its point: amounts of one currency have the same decimals. */
const digits = (decimal: string): bigint => BigInt(decimal.replace('.', ''));
