import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { feeOf, type MethodKind } from '../../paying/bulk/intent-rows.ts';
import { expiryText, methodName, methodTitle, networkMark } from '../../paying/methods/method-words.ts';
import { USUAL_DAYS } from '../../paying/outcome/waiting.tsx';
import { formatMoney } from '../../text/format.ts';
import { t } from './messages.ts';

/** In place of a method's id: a card that is not saved. */
export const NEW_METHOD = 'new';

/** A method in the list. */
export interface Choice {
  readonly id: string;
  readonly kind: MethodKind;
  readonly title: string;
  /** In a sentence. */
  readonly name: string;
  /** Expiry, or kind of debit and its fee; why it cannot be chosen where that is so. */
  readonly detail: string;
  /** 'VISA' for the small box; undefined: a drawing of the kind. */
  readonly mark: string | undefined;
  readonly isDefault: boolean;
  readonly isBlocked: boolean;
}

type Offer = Pick<PaymentDetails, 'bank' | 'card'>;

/** Why a saved method cannot pay these invoices; undefined when it can. */
function blockOf(source: SavedSource, intent: PaymentIntent, { bank, card }: Offer): string | undefined {
  if (source.kind === 'card' && card === null) return t('blocked.notOffered');
  const expiry = expiryText(source);
  if (source.isExpired) return expiry ? t('blocked.expired', { expiry }) : t('blocked.expiredNoDate');
  if (source.status === 'pending') return t('blocked.pending');
  if (source.status === 'unusable') return t('blocked.unusable');
  // An account is debited in its scheme's currency only.
  if (source.kind === 'bank' && bank !== null && bank.currency !== intent.currency) {
    return t('blocked.currency', { currency: bank.currency });
  }
  return undefined;
}

/** What it is, what it costs, and how long it takes where that is days. */
function detailOf(source: SavedSource, intent: PaymentIntent, { bank }: Pick<Offer, 'bank'>): string {
  const amount = feeOf(intent, source.kind);
  const fee = amount === undefined ? undefined : formatMoney(amount, { currency: intent.currency });
  const known = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(', ');
  if (source.kind === 'card') {
    const expiry = expiryText(source);
    const about = expiry === undefined ? t('method.card') : t('method.expires', { expiry });
    return known(about, fee && t('method.cardFee', { fee }));
  }
  const n = bank?.settlesInDays ?? USUAL_DAYS;
  const takes = t(n === 1 ? 'method.takesOne' : 'method.takes', { n });
  return known(bank?.title ?? t('method.bank'), fee && t('method.bankFee', { fee }), takes);
}

/** Saved methods as they stand in the list: cards, then bank accounts, in the order they were saved. */
export function choicesOf(
  sources: readonly SavedSource[],
  intent: PaymentIntent,
  offer: Offer,
): readonly Choice[] {
  return sources
    .toSorted((a, b) => Number(a.kind === 'bank') - Number(b.kind === 'bank'))
    .map((source) => {
      const block = blockOf(source, intent, offer);
      return {
        id: source.id,
        kind: source.kind,
        title: methodTitle(source),
        name: methodName(source),
        detail: block ?? detailOf(source, intent, offer),
        mark: source.kind === 'card' ? networkMark(source.brand) : undefined,
        isDefault: source.isDefault,
        isBlocked: block !== undefined,
      };
    });
}
