import { formatDecimal, type Money, subtractMoney } from '@counterfoil/domain/money/money.ts';
import { useEffect, useRef, useState } from 'react';
import { formatMoney } from '../text/format.ts';
import { Button } from '../ui/fields/button.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import styles from './part-amount.module.css';
import { type Part, whyNot } from './part-payment.ts';

interface PartAmountProps {
  readonly part: Part;
  /** As typed; undefined: all of it is paid, and there is no field. */
  readonly text: string | undefined;
  readonly isWrong: boolean;
  /** Id of the field, for whoever leads there. */
  readonly id: string;
  /** Says what is wrong now, not only after the field was left. */
  readonly insists: boolean;
  readonly onText: (text: string | undefined) => void;
  /** Where the server is asked for the total: it follows when this was pressed. */
  readonly use?:
    | { readonly onUse: () => void; readonly isBusy: boolean; readonly isUsed: boolean }
    | undefined;
}

/** A quiet way from all that is due to another amount, and back. */
export function PartAmount({ part, text, isWrong, id, insists, onText, use }: PartAmountProps) {
  const isOpen = text !== undefined;
  const openerId = `${id}-open`;
  const [isLeft, setLeft] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef(isOpen);
  useEffect(() => {
    // What was pressed is gone: the focus goes to what came in its place.
    if (before.current !== isOpen) document.getElementById(isOpen ? id : openerId)?.focus();
    before.current = isOpen;
  }, [isOpen, id, openerId]);
  if (!isOpen) {
    return (
      <Button id={openerId} variant="quiet" size="small" className={styles.open} onClick={() => onText('')}>
        {t('part.open')}
      </Button>
    );
  }
  const shown = (amount: Money) => formatMoney(formatDecimal(amount), { currency: amount.currency });
  const range = { least: shown(part.least), most: shown(part.most) };
  const says = isWrong && (insists || (isLeft && text.trim() !== ''));
  const press = () => {
    setLeft(true);
    if (isWrong) field.current?.focus();
    else use?.onUse();
  };
  return (
    <div className={styles.field}>
      <TextInput
        {...{ id, label: t('part.label'), inputRef: field }}
        hint={says ? undefined : t('part.hint', range)}
        error={says ? whyWrong(text, part, shown) : undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onBlur={() => setLeft(true)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || use === undefined) return;
          event.preventDefault();
          press();
        }}
      />
      <div className={styles.acts}>
        {use && !use.isUsed && (
          <Button size="small" busy={use.isBusy} busyLabel={t('part.using')} onClick={press}>
            {t('part.use')}
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            setLeft(false);
            onText(undefined);
          }}
        >
          {t('part.close')}
        </Button>
      </div>
    </div>
  );
}

function whyWrong(text: string, part: Part, shown: (amount: Money) => string): string {
  const { least, most, leastRest, step } = part;
  const why = whyNot(text, part);
  if (leastRest !== undefined && why === 'leavesTooLittle')
    return t('part.rest', { rest: shown(leastRest), upTo: shown(subtractMoney(most, leastRest)) });
  if (step !== undefined && why === 'amountNotRepresentable') return t('part.step', { step: shown(step) });
  return t('part.error', { least: shown(least), most: shown(most) });
}
