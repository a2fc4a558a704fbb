import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import type { ReactNode } from 'react';
import { type CardDraft, emptyDraft } from '../../../paying/card/card-draft.ts';
import { CardFormFields } from '../../../paying/card/card-form-fields.tsx';
import { cardRules } from '../../../paying/card/card-form-model.ts';
import { type EnteredCard, useCardForm } from '../../../paying/card/use-card-form.ts';
import { payMembers } from '../../../paying/entry/sent-members.ts';
import type { Submission } from '../link/pay-link.ts';
import { prepareEntry } from '../link/prepare-entry.ts';
import { t } from '../messages.ts';
import type { ShownPrice } from './part-price.ts';
import { PayAct } from './pay-act.tsx';
import type { CardSetup } from './use-save-offer.ts';

/** What the forms of all kinds of methods are given. */
export interface KindFormProps {
  readonly info: PaymentInfo;
  /** Of what is to be paid. */
  readonly price: ShownPrice;
  /** Pressed while the amount cannot be paid. */
  readonly onWrongAmount: () => void;
  readonly submitting: boolean;
  readonly onPay: (submission: Submission) => Promise<void>;
  /** Below the button. */
  readonly notice?: ReactNode;
}

interface PayFormProps extends KindFormProps {
  readonly settings: NonNullable<PaymentInfo['brandSettings']>;
  readonly kept: CardDraft | undefined;
  /** Of keeping the card; undefined: nobody may. */
  readonly choice: CardSetup['choice'];
  readonly isKept: boolean;
  readonly onKept: CardSetup['onCard'];
}

/** Card, card holder, billing address and receipt, and the one button of the page. */
export function PayForm({ settings, kept, choice, isKept, onKept, onPay, ...act }: PayFormProps) {
  const { info } = act;
  const initial = () => initialDraft(info, kept);
  const onCard = async ({ sent, keptToken: token, typed, draft }: EnteredCard) => {
    const { payer, ...members } = typed;
    onKept(token === undefined ? undefined : { ...members, ...(payer && { customer: payer }), token });
    const ownPage = settings.how === 'redirect' && { ownPage: true as const };
    const details = payer && { nexioCustomerDetails: payer };
    await onPay({ ...payMembers('card', sent), ...ownPage, ...members, ...details, draft });
    return undefined;
  };
  const rules = cardRules(info, settings);
  const prepare = () => prepareEntry(info.uid, 'card');
  const form = useCardForm({ config: settings, prepare, rules, initial, isKept, onCard });
  return (
    <PayAct {...act} label={t('form.label')} form={form} leaves={settings.how === 'redirect'}>
      <CardFormFields form={form} />
      {choice}
    </PayAct>
  );
}

/** What the form begins with: what was typed before, else what is known of the customer. */
export const initialDraft = (info: PaymentInfo, kept: CardDraft | undefined): CardDraft =>
  kept ?? {
    ...emptyDraft,
    email: info.enabledReceipt ? (info.customer.email ?? '') : '',
    country: info.customer.country ?? '',
  };
