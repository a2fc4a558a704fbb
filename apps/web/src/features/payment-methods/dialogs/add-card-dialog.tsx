import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentDetails, SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import { useId } from 'react';
import { emptyDraft } from '../../../paying/card/card-draft.ts';
import { CardFormFields } from '../../../paying/card/card-form-fields.tsx';
import { cardRules, type FormRules } from '../../../paying/card/card-form-model.ts';
import { type EnteredCard, useCardForm } from '../../../paying/card/use-card-form.ts';
import { saveMembers } from '../../../paying/entry/sent-members.ts';
import { methodCalls } from '../calls.ts';
import { cardFailure } from '../failure-words.ts';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';
import { leaveForEntry } from './leave-for-entry.ts';
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
export const rulesOf = ({ card, ...brand }: PaymentDetails): FormRules =>
  cardRules(
    {
      requiredCardHolder: brand.paymentCardHolderRequired,
      requiredBillingAddress: brand.paymentBillingAddressRequired,
      enabledReceipt: false,
    },
    card?.entry ?? { how: 'providerFields', formFields: [] },
  );

/** A new card: the provider's own fields, and what stands beside them. */
export function AddCardDialog({ details, email, onAnswer, onClose }: AddCardDialogProps) {
  const { card, paths } = details;
  if (card === null || paths === null) return null;
  return <CardDialog {...{ details, email, onAnswer, onClose, paths }} entry={card.entry} />;
}

interface CardDialogProps extends AddCardDialogProps {
  readonly entry: EntryConfig;
  readonly paths: NonNullable<PaymentDetails['paths']>;
}

function CardDialog({ details, email, entry, paths, onAnswer, onClose }: CardDialogProps) {
  const id = useId();
  const rules = rulesOf(details);
  const save = async ({ sent, typed: { payer, ...typed } }: EnteredCard) => {
    if (entry.how === 'redirect') return leaveForEntry('card', 'card', entry.isPrepared);
    const customer = payer && { customer: payer };
    const card = { ...typed, ...customer, ...saveMembers(sent), type: details.paymentType };
    return onAnswer(await methodCalls.addCard(paths, card));
  };
  const onCard = (card: EnteredCard) =>
    save(card)
      .then(() => undefined)
      .catch((error: unknown) => ({ text: cardFailure(error) }));
  const form = useCardForm({
    config: entry,
    prepare: () => methodCalls.prepare('card'),
    rules,
    initial: () => ({ ...emptyDraft, email: rules.enabledReceipt ? email : '' }),
    onCard,
  });
  return (
    <SendDialog
      title={t('add.card')}
      formId={id}
      busy={form.busy}
      missing={form.missing}
      {...(entry.how === 'redirect' && { act: t('add.continue') })}
      onClose={onClose}
    >
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
