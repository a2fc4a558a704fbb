import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { PaymentDetails } from '@counterfoil/contract/paying/payment-methods.ts';
import { useEffect, useRef } from 'react';
import { prepareForBulk } from '../../paying/bulk/prepare-entry.ts';
import { emptyDraft } from '../../paying/card/card-draft.ts';
import { CardFormFields } from '../../paying/card/card-form-fields.tsx';
import { cardRules } from '../../paying/card/card-form-model.ts';
import { type EnteredCard, useCardForm } from '../../paying/card/use-card-form.ts';
import styles from './bulk-pay.module.css';
import { t } from './messages.ts';

/** What the button outside of the form must know of it. */
export interface NewCardState {
  readonly isBusy: boolean;
  /** Names of the fields that are missing or wrong. */
  readonly missing: readonly string[];
}

interface NewCardProps {
  /** For the button, which stands outside. */
  readonly formId: string;
  readonly entry: EntryConfig;
  readonly details: PaymentDetails;
  readonly intent: PaymentIntent;
  readonly isHidden: boolean;
  readonly onState: (state: NewCardState) => void;
  readonly onCard: (card: EnteredCard) => Promise<undefined>;
}

/** A card for this payment only: card holder always, billing address and receipt as the brand has it (payments §2). */
export function NewCard({ formId, entry, details, intent, isHidden, onState, onCard }: NewCardProps) {
  const brand = {
    requiredCardHolder: true,
    requiredBillingAddress: details.paymentBillingAddressRequired,
    enabledReceipt: details.paymentEmailReceipt,
  };
  const rules = cardRules(brand, entry);
  const form = useCardForm({
    config: entry,
    prepare: () => prepareForBulk(intent.sessionId),
    rules,
    initial: () => ({ ...emptyDraft, email: details.paymentEmailReceipt ? (intent.email ?? '') : '' }),
    onCard,
  });
  const { busy } = form;
  const missing = form.missing.join('\n');
  const latest = useRef(onState);
  useEffect(() => {
    latest.current = onState;
  });
  useEffect(() => {
    latest.current({ isBusy: busy, missing: missing === '' ? [] : missing.split('\n') });
  }, [busy, missing]);
  return (
    // Outside a dialog this method sends nothing: what is typed never leaves in a URL.
    <form
      id={formId}
      ref={form.ref}
      className={styles.form}
      method="dialog"
      onSubmit={form.onSubmit}
      noValidate
      hidden={isHidden}
      aria-label={t('form.label')}
    >
      <CardFormFields form={form} markRequired />
    </form>
  );
}
