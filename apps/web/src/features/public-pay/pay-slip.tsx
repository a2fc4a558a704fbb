import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { CardDraft } from '../../lib/card-entry/card-draft.ts';
import { Slip } from '../../ui/slip.tsx';
import type { PartStore } from './draft.ts';
import { InvoiceSummary } from './invoice-summary.tsx';
import { type ShownPrice, wholePrice } from './part-price.ts';
import { PayForm } from './pay-form.tsx';
import type { Press } from './pay-parts.ts';
import type { CardSaving } from './use-save-offer.ts';

interface PaySlipProps {
  readonly info: PaymentInfo;
  readonly settings: NonNullable<PaymentInfo['brandSettings']>;
  readonly label: string;
  readonly kept: CardDraft | undefined;
  readonly part: PartStore | undefined;
  readonly submitting: boolean;
  readonly onPay: (press: Press, price: ShownPrice) => Promise<void>;
  readonly choice: CardSaving['choice'];
  readonly isKept: boolean;
  readonly onKept: CardSaving['onCard'];
  /** Below the button. */
  readonly notice?: ReactNode;
}

/** The invoice, what is to be paid of it, and the form that pays it. */
export function PaySlip({ info, label, part, onPay, ...form }: PaySlipProps) {
  const [text, setText] = useState<string>();
  const [insists, setInsists] = useState(false);
  // Not at once: the server has drawn all that is due.
  useEffect(() => setText(part?.load()), [part]);
  const id = useId();
  const choice = useChoice(info.partPayment !== null);
  const price = choice?.partPrice(info, text) ?? wholePrice(info);
  return (
    <Slip
      top={
        <InvoiceSummary {...{ info, label, price }}>
          {choice && (
            <choice.PartChoice
              {...{ info, text, id, insists }}
              onText={(typed) => {
                setText(typed);
                part?.save(typed);
                setInsists(false);
              }}
            />
          )}
        </InvoiceSummary>
      }
      bottom={
        <PayForm
          {...{ info, price, ...form }}
          onWrongAmount={() => {
            setInsists(true);
            document.getElementById(id)?.focus();
          }}
          onPay={(press) => onPay(press, price)}
        />
      }
    />
  );
}

type Choice = typeof import('./part-choice.tsx');

/** The code of the choice, once it is there; without it all that is due is paid. */
function useChoice(isOffered: boolean): Choice | undefined {
  const [choice, setChoice] = useState<Choice>();
  useEffect(() => {
    if (isOffered) import('./part-choice.tsx').then(setChoice, () => undefined);
  }, [isOffered]);
  return isOffered ? choice : undefined;
}
