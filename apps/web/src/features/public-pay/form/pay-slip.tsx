import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { type ReactNode, useEffect, useId, useState } from 'react';
import type { CardDraft } from '../../../paying/card/card-draft.ts';
import { SkeletonBox } from '../../../ui/layout/skeleton.tsx';
import { Slip } from '../../../ui/layout/slip.tsx';
import type { Submission } from '../link/pay-link.ts';
import { useLate } from '../link/use-late.ts';
import { t } from '../messages.ts';
import styles from '../pay.module.css';
import type { PartStore } from './draft.ts';
import { InvoiceSummary } from './invoice-summary.tsx';
import { type PayKind, type ShownPrice, wholePrice } from './part-price.ts';
import { PayForm } from './pay-form.tsx';
import { PayWays } from './pay-ways.tsx';
import type { CardSetup } from './use-save-offer.ts';

interface PaySlipProps {
  readonly info: PaymentInfo;
  readonly label: string;
  readonly kept: CardDraft | undefined;
  readonly part: PartStore | undefined;
  readonly submitting: boolean;
  readonly onPay: (submission: Submission, price: ShownPrice) => Promise<void>;
  readonly choice: CardSetup['choice'];
  readonly isKept: boolean;
  readonly onKept: CardSetup['onCard'];
  /** Below the button. */
  readonly notice?: ReactNode;
}

/** The invoice, what is to be paid of it, and the form that pays it. */
export function PaySlip({
  info,
  label,
  part,
  onPay,
  kept,
  choice: keep,
  isKept,
  onKept,
  ...act
}: PaySlipProps) {
  const { brandSettings: settings, bank } = info;
  const [kind, setKind] = useState<PayKind>(settings === null ? 'bank' : 'card');
  // What was typed stays while the other is looked at.
  const [hasBank, setHasBank] = useState(settings === null);
  const [text, setText] = useState<string>();
  const [insists, setInsists] = useState(false);
  // Not at once: the server has drawn all that is due.
  useEffect(() => setText(part?.load()), [part]);
  const id = useId();
  const bankCode = useLate('bank', hasBank);
  const { attempt } = info;
  const hasFailed = attempt?.kind === 'bank' && attempt.status === 'failed';
  const back = useLate('back', hasFailed || attempt?.isTakenBack === true);
  const choice = useLate('choice', info.partPayment !== null);
  const price = choice ? choice.partPrice(info, text, kind) : wholePrice(info, kind);
  const form = {
    ...act,
    info,
    price,
    onWrongAmount: () => {
      setInsists(true);
      document.getElementById(id)?.focus();
    },
    onPay: (submission: Submission) => onPay(submission, price),
  };
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
        <div className={styles.kinds}>
          {back && <back.CameBack info={info} label={label} />}
          {settings && bank && (
            <PayWays
              name={`${id}-way`}
              kind={kind}
              onKind={(chosen) => {
                setKind(chosen);
                if (chosen === 'bank') setHasBank(true);
              }}
            />
          )}
          {settings && (
            <div hidden={kind !== 'card'}>
              <PayForm {...{ ...form, settings, kept, isKept, onKept }} choice={keep} />
            </div>
          )}
          {bank && hasBank && (
            <div hidden={kind !== 'bank'}>
              {bankCode ? (
                <bankCode.BankForm {...{ ...form, bank }} />
              ) : bankCode === false ? (
                <p className={styles.wrong} role="alert">
                  {t('incomplete.title')}. {t('incomplete.loading')}
                </p>
              ) : (
                <SkeletonBox className={styles.comingForm} />
              )}
            </div>
          )}
        </div>
      }
    />
  );
}
