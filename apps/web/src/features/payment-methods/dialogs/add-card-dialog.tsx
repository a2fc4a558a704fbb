import type { PaymentDetails, SetupAnswer } from '@counterfoil/contract/payment-methods.ts';
import { useId } from 'react';
import { emptyDraft } from '../../../paying/card/card-draft.ts';
import { CardFormFields } from '../../../paying/card/card-form-fields.tsx';
import type { FormRules } from '../../../paying/card/card-form-model.ts';
import { type EnteredCard, useCardForm } from '../../../paying/card/use-card-form.ts';
import { methodCalls } from '../calls.ts';
import { cardFailure } from '../failure-words.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { SendDialog } from './send-dialog.tsx';

interface AddCardDialogProps {
  readonly details: PaymentDetails;
  /** What the form begins with. */
  readonly email: string;
  /** Takes the answer, and closes the dialog when it is time. */
  readonly onAnswer: (answer: SetupAnswer) => Promise<void>;
  readonly onClose: () => void;
}

/** What is asked for beside the card: what the gateway needs and what the brand requires. */
export function cardRules({ card, ...brand }: PaymentDetails): FormRules {
  const needs = (name: string) =>
    card?.fields.some((field) => field.name === name && field.required) === true;
  const has = (name: string) => card?.fields.some((field) => field.name === name) === true;
  return {
    requiredCardHolder: needs('cardHolder') || brand.paymentCardHolderRequired,
    requiredBillingAddress: brand.paymentBillingAddressRequired,
    requiredCountry: needs('country'),
    enabledReceipt: has('email'),
  };
}

/** A new card: the provider's own fields, and what stands beside them. */
export function AddCardDialog({ details, email, onAnswer, onClose }: AddCardDialogProps) {
  const { entry, paths } = details;
  if (entry === null || paths === null) return null;
  return <CardDialog {...{ details, email, onAnswer, onClose, entry, paths }} />;
}

interface CardDialogProps extends AddCardDialogProps {
  readonly entry: NonNullable<PaymentDetails['entry']>;
  readonly paths: NonNullable<PaymentDetails['paths']>;
}

function CardDialog({ details, email, entry, paths, onAnswer, onClose }: CardDialogProps) {
  const id = useId();
  const rules = cardRules(details);
  const send = async (card: EnteredCard, refuse: (text: string) => void) => {
    const { cardToken, draft: _, ...typed } = card;
    try {
      const answer = await methodCalls.addCard(paths, {
        ...typed,
        token: cardToken,
        type: details.paymentType,
      });
      await onAnswer(answer);
    } catch (error) {
      refuse(cardFailure(error));
    }
  };
  const form = useCardForm({
    settings: entry,
    rules,
    initial: () => ({ ...emptyDraft, email: rules.enabledReceipt ? email : '' }),
    onCard: send,
  });
  return (
    <SendDialog title={t('add.card')} formId={id} busy={form.busy} missing={form.missing} onClose={onClose}>
      <form
        id={id}
        ref={form.ref}
        className={styles.form}
        method="dialog"
        onSubmit={form.onSubmit}
        noValidate
      >
        <CardFormFields form={form} emailLabel={t('add.email')} />
      </form>
    </SendDialog>
  );
}
