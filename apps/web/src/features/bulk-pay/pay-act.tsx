import { useId } from 'react';
import { readerLocale } from '../../text/catalogue.ts';
import { Button } from '../../ui/fields/button.tsx';
import styles from './bulk-pay.module.css';
import type { Choice } from './choices.ts';
import { t } from './messages.ts';
import type { NewCardState } from './new-card.tsx';

/** The one button of the page, and the words beside it. */
export interface Act {
  readonly label: string;
  /** What is paid with, for the bar of a phone. */
  readonly name: string;
  /** What the button does, or why it cannot be pressed. */
  readonly reason: string;
  readonly isDisabled: boolean;
  /** It can be pressed, and then says what is missing. */
  readonly isBlocked: boolean;
  /** The form it sends; undefined: `onPress` acts. */
  readonly form: string | undefined;
  readonly onPress: () => void;
}

interface ActInput {
  readonly isCharged: boolean;
  /** Undefined: still loading. */
  readonly choices: readonly Choice[] | undefined;
  readonly hasNew: boolean;
  readonly isNew: boolean;
  /** The saved method that is chosen. */
  readonly method: Choice | undefined;
  readonly card: NewCardState;
  /** Another amount was typed than the total is of. */
  readonly isAmountOpen: boolean;
  readonly formId: string;
  readonly onCredit: () => void;
  readonly onMethod: () => void;
  readonly onNew: () => void;
}

const nothing = () => undefined;

/**
 * 'Pay' when saved methods exist, else 'Continue'; disabled until a method is chosen when methods exist
 * (payments §2). A new card is sent by 'Confirm and Pay'; where credit pays all there is nothing to choose.
 */
export function payActOf(input: ActInput): Act {
  const act = actOf(input);
  // Nobody pays a total that is not of the amount in the field.
  return input.isAmountOpen ? { ...act, reason: t('reason.amount'), isDisabled: true } : act;
}

function actOf(input: ActInput): Act {
  const { isCharged, choices, hasNew, isNew, method, card, formId } = input;
  const base = { isDisabled: false, isBlocked: false, form: undefined, onPress: nothing };
  if (!isCharged) {
    const words = { label: t('pay.credit'), name: t('bar.credit'), reason: t('reason.credit') };
    return { ...base, ...words, onPress: input.onCredit };
  }
  if (isNew) {
    const fields = new Intl.ListFormat(readerLocale()).format(card.missing);
    const isBlocked = card.missing.length > 0;
    const reason = isBlocked ? t('reason.incomplete', { fields }) : t('reason.newCard');
    return { ...base, label: t('pay.confirm'), name: t('methods.new'), reason, isBlocked, form: formId };
  }
  const hasSaved = choices === undefined || choices.length > 0;
  if (!hasSaved && hasNew) {
    const words = { label: t('pay.continue'), name: t('methods.new'), reason: '' };
    return { ...base, ...words, onPress: input.onNew };
  }
  const label = t(hasSaved ? 'pay.pay' : 'pay.continue');
  if (method === undefined) {
    const isStuck = hasSaved && !hasNew && choices?.every(({ isBlocked }) => isBlocked) === true;
    const reason = hasSaved ? t(isStuck ? 'reason.noneUsable' : 'reason.choose') : '';
    return { ...base, label, name: t('bar.choose'), reason, isDisabled: true };
  }
  const reason = t(method.kind === 'bank' ? 'reason.bank' : 'reason.card', { method: method.name });
  return { ...base, label, name: method.title, reason, onPress: input.onMethod };
}

interface PayActProps {
  readonly act: Act;
  readonly isBusy: boolean;
  readonly className?: string | undefined;
  readonly hasReason?: boolean;
}

export function PayAct({ act, isBusy, className, hasReason = false }: PayActProps) {
  const id = useId();
  return (
    <div className={className}>
      <Button
        type={act.form === undefined ? 'button' : 'submit'}
        form={act.form}
        variant="primary"
        size="tall"
        wide
        busy={isBusy}
        busyLabel={t('pay.paying')}
        disabled={act.isDisabled}
        aria-disabled={act.isBlocked || undefined}
        aria-describedby={hasReason ? id : undefined}
        onClick={(event) => {
          if (act.form !== undefined) return;
          // A press may make this the button of a form: that very press must not send it.
          event.preventDefault();
          act.onPress();
        }}
      >
        {act.label}
      </Button>
      {hasReason && (
        <p className={styles.reason} id={id}>
          {act.reason}
        </p>
      )}
    </div>
  );
}
