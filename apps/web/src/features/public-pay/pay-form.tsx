import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { type ReactNode, useId } from 'react';
import { type CardDraft, emptyDraft } from '../../lib/card-entry/card-draft.ts';
import { CardFormFields } from '../../lib/card-entry/card-form-fields.tsx';
import { type EnteredCard, useCardForm } from '../../lib/card-entry/use-card-form.ts';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import { readerLocale } from '../../messages/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './messages.ts';
import type { ShownPrice } from './part-price.ts';
import styles from './pay.module.css';
import type { Press } from './pay-parts.ts';
import type { CardSaving } from './use-save-offer.ts';

interface PayFormProps {
  readonly info: PaymentInfo;
  readonly settings: NonNullable<PaymentInfo['brandSettings']>;
  readonly kept: CardDraft | undefined;
  /** Of what is to be paid. */
  readonly price: ShownPrice;
  /** Pressed while the amount cannot be paid. */
  readonly onWrongAmount: () => void;
  readonly submitting: boolean;
  readonly onPay: (press: Press) => Promise<void>;
  /** Of keeping the card; undefined: nobody may. */
  readonly choice: CardSaving['choice'];
  readonly isKept: boolean;
  readonly onKept: CardSaving['onCard'];
  /** Below the button. */
  readonly notice?: ReactNode;
}

/** Card, card holder, billing address and receipt, and the one button of the page. */
export function PayForm(props: PayFormProps) {
  const { info, settings, kept, price, submitting, onWrongAmount, onPay, choice, isKept, onKept } = props;
  const initial = () => initialDraft(info, kept);
  const onCard = ({ keptToken: token, ...card }: EnteredCard) => {
    const { cardToken: _used, draft: _typed, ...typed } = card;
    onKept(token === undefined ? undefined : { ...typed, token });
    return onPay(card);
  };
  const form = useCardForm({ settings, rules: info, initial, isKept, onCard });
  const reasonId = useId();
  const missing = [...(price.isWrong ? [t('fact.part')] : []), ...form.missing];
  const { leastCharge, chargeStep, pausedUntil } = info;
  const isTooSmall = leastCharge !== null && Number(price.total) < Number(leastCharge);
  const isTooFine = chargeStep !== null && digits(price.total) % digits(chargeStep) !== 0n;
  const isRefused = isTooSmall || isTooFine || pausedUntil !== null;
  const isBlocked = missing.length > 0 || isRefused;
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
      aria-label={t('form.label')}
    >
      {pausedUntil !== null && (
        // Before anything is typed: no card is taken now.
        <p className={styles.paused} id={reasonId} role="status">
          <Icon name="clock" />
          {t('form.paused', { time: formatMoment(pausedUntil).time })}
        </p>
      )}
      <CardFormFields form={form} />
      {choice}
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
            {t('form.submit', { amount: formatMoney(price.total) })}
          </Button>
        </div>
        {isBlocked && pausedUntil === null && (
          <p className={styles.reason} id={reasonId}>
            {isTooSmall
              ? t('form.tooSmall', { amount: formatMoney(leastCharge) })
              : isTooFine
                ? t('form.tooFine', { step: formatMoney(chargeStep) })
                : t('form.incomplete', { fields: new Intl.ListFormat(readerLocale()).format(missing) })}
          </p>
        )}
        {props.notice}
      </div>
    </form>
  );
}

/** A decimal text without its point: amounts of one currency have the same decimals. */
const digits = (decimal: string): bigint => BigInt(decimal.replace('.', ''));

/** What the form begins with: what was typed before, else what is known of the customer. */
export const initialDraft = (info: PaymentInfo, kept: CardDraft | undefined): CardDraft =>
  kept ?? {
    ...emptyDraft,
    email: info.enabledReceipt ? (info.customer.email ?? '') : '',
    country: info.customer.country ?? '',
  };
