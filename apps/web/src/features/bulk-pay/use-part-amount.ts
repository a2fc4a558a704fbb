import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { formatDecimal } from '@counterfoil/domain/money/money.ts';
import { type ComponentProps, useId, useState } from 'react';
import { invoiceLines, partOf, partPaid } from '../../paying/bulk/intent-rows.ts';
import type { PartAmount } from '../../paying/part-amount.tsx';
import { isSameAmount, typedPart } from '../../paying/part-payment.ts';

interface ChosenAmount {
  /** The total is not of what is in the field. */
  readonly isOpen: boolean;
  /** Somebody asked for another amount. */
  readonly isChosen: boolean;
  /** Of the field; undefined where the amount cannot be chosen. */
  readonly field: ((isBusy: boolean) => ComponentProps<typeof PartAmount>) | undefined;
}

/** Another amount than what is due, of an intent with one invoice. @param ask for the total of it; undefined: all */
export function usePartAmount(
  intent: PaymentIntent,
  ask: (amount: string | undefined) => Promise<void>,
): ChosenAmount {
  // A page that is reloaded says what its session was priced with.
  const [text, setText] = useState(() => partPaid(intent));
  const id = useId();
  const part = partOf(intent);
  if (part === undefined) return { isOpen: false, isChosen: false, field: undefined };
  const typed = typedPart(text ?? '', part, intent.currencySymbol);
  const priced = String(invoiceLines(intent)[0]?.invoiceAmount ?? '');
  const isUsed = isSameAmount(typed, priced);
  return {
    isOpen: text === undefined ? partPaid(intent) !== undefined : !isUsed,
    isChosen: text !== undefined,
    field: (isBusy) => ({
      part,
      text,
      id,
      insists: false,
      isWrong: typed === undefined,
      onText: (next) => {
        setText(next);
        if (next === undefined && partPaid(intent) !== undefined) void ask(undefined);
      },
      use: { onUse: () => void (typed && ask(formatDecimal(typed))), isBusy, isUsed },
    }),
  };
}
