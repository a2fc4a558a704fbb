import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentDetails } from '@counterfoil/contract/paying/payment-methods.ts';
import { useId, useState } from 'react';
import type { BulkSubmission } from '../../paying/bulk/bulk-payment.ts';
import { isCharged, type MethodKind, totalWith } from '../../paying/bulk/intent-rows.ts';
import type { EnteredCard } from '../../paying/card/use-card-form.ts';
import { payMembers } from '../../paying/entry/sent-members.ts';
import { canTake } from '../../paying/entry/use-entry.ts';
import { t as other } from '../../paying/otherwise/pay-otherwise-messages.ts';
import { PartAmount } from '../../paying/part-amount.tsx';
import { formatMoney } from '../../text/format.ts';
import { SectionError } from '../../ui/layout/section-state.tsx';
import styles from './bulk-pay.module.css';
import { MethodsLoading } from './bulk-pay-skeleton.tsx';
import { choicesOf, NEW_METHOD } from './choices.ts';
import { t } from './messages.ts';
import { MethodList, methodInputId } from './method-list.tsx';
import { NewCard, type NewCardState } from './new-card.tsx';
import { NoGateway, NoMethod } from './no-method.tsx';
import { type Act, PayAct, payActOf } from './pay-act.tsx';
import { PaymentSummary } from './payment-summary.tsx';
import { useMethods } from './use-methods.ts';
import { usePartAmount } from './use-part-amount.ts';

interface CheckoutProps {
  readonly intent: PaymentIntent;
  readonly isPaying: boolean;
  /** The total of another amount is asked for. */
  readonly isPricing: boolean;
  /** Asks for it; undefined: all that is due. */
  readonly onAmount: (amount: string | undefined) => Promise<void>;
  readonly onPay: (submission: BulkSubmission) => Promise<void>;
}

/** How a card is typed that pays once; undefined where none is: a page that the payer would have to leave for is not inline. */
function inlineEntryOf(details: PaymentDetails | undefined): EntryConfig | undefined {
  const card = details?.apiStatus ? details.card : null;
  if (!card?.isNewAllowedInline || card.entry.how === 'redirect' || !canTake(card.entry)) return undefined;
  return { ...card.entry, formFields: card.payOnceFields };
}

const untouched: NewCardState = { isBusy: false, missing: [] };

/** Methods beside the summary, and one button: under the summary, on a phone in a bar at the bottom. */
export function Checkout({ intent, isPaying, isPricing, onAmount, onPay }: CheckoutProps) {
  const { details, saved, error } = useMethods();
  const [chosen, setChosen] = useState<string>();
  const [hasForm, setHasForm] = useState(false);
  const [newCard, setNewCard] = useState(untouched);
  const amount = usePartAmount(intent, onAmount);
  const titleId = useId();
  const formId = useId();

  const charged = isCharged(intent);
  const choices = details && saved ? choicesOf(saved, intent, details) : undefined;
  const entry = inlineEntryOf(details);
  // Known before anything is chosen: nothing here could be charged.
  const isStuck = charged && details?.apiStatus === false;
  const hasNew = entry !== undefined;
  const method = choices?.find(({ id, isBlocked }) => id === chosen && !isBlocked);
  const isNew = chosen === NEW_METHOD && hasNew;
  const kind: MethodKind | undefined = isNew ? 'card' : method?.kind;
  const total = totalWith(intent, charged ? kind : undefined);
  const choose = (id: string) => {
    setChosen(id);
    if (id === NEW_METHOD) setHasForm(true);
  };

  const type = details === undefined ? {} : { type: details.paymentType };
  const payWith = (fields: BulkSubmission['fields'], name: string | undefined) =>
    onPay({ fields, method: name, amount: total });
  const payByCard = async ({ sent, typed }: EnteredCard) => {
    const { payer, ...members } = typed;
    const details = payer && { nexioCustomerDetails: payer };
    await payWith({ ...payMembers('card', sent), ...members, ...details, ...type }, undefined);
    return undefined;
  };
  const act: Act = payActOf({
    isCharged: charged,
    choices,
    hasNew,
    isNew,
    method,
    card: newCard,
    formId,
    isAmountOpen: amount.isOpen,
    onCredit: () => void payWith({}, t('bar.credit')),
    onMethod: () => method && void payWith({ cardId: method.id, ...type }, method.title),
    onNew: () => {
      choose(NEW_METHOD);
      // The form comes after it, so the next Tab leads there.
      document.getElementById(methodInputId(NEW_METHOD))?.focus();
    },
  });

  const shown = formatMoney(total, { currency: intent.currency });
  const isBusy = isPaying || newCard.isBusy;
  return (
    <>
      <div className={styles.checkout} inert={isPaying}>
        <section className={styles.tile} aria-labelledby={titleId}>
          <h2 id={titleId} className={styles.head}>
            {isStuck ? other('title') : t(charged ? 'methods.title' : 'credit.title')}
          </h2>
          {!charged ? (
            <p className={styles.none}>
              {t('credit.text', {
                amount: formatMoney(intent.adjustmentsTotal, { currency: intent.currency }),
              })}
            </p>
          ) : error ? (
            <SectionError requestId={error.requestId} onRetry={error.retry}>
              {t('load.nothing')}
            </SectionError>
          ) : details === undefined || choices === undefined ? (
            <MethodsLoading />
          ) : isStuck ? (
            <NoGateway intent={intent} isPaused={details.paymentsPaused} />
          ) : choices.length === 0 && !hasNew ? (
            <NoMethod />
          ) : (
            <>
              <MethodList {...{ titleId, choices, hasNew, chosen }} onChoose={choose} />
              {hasForm && entry && (
                <NewCard
                  {...{ formId, entry, details, intent, isHidden: !isNew }}
                  onState={setNewCard}
                  onCard={payByCard}
                />
              )}
            </>
          )}
        </section>
        <PaymentSummary
          intent={intent}
          kind={charged ? kind : undefined}
          choice={(charged || amount.isChosen) && amount.field && <PartAmount {...amount.field(isPricing)} />}
        >
          {!isStuck && <PayAct act={act} isBusy={isBusy} className={styles.inline} hasReason />}
        </PaymentSummary>
      </div>
      {!isStuck && (
        <div className={styles.bar} inert={isPaying}>
          <p>
            <small>{act.name}</small>
            <b>{shown}</b>
          </p>
          <PayAct act={act} isBusy={isBusy} />
        </div>
      )}
    </>
  );
}
