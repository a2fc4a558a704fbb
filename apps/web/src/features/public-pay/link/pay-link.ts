import type { EntryConfig, PayerMembers } from '@counterfoil/contract/paying/entry-config.ts';
import type {
  ConfirmationRequest,
  PayAnswer,
  PaymentInfo,
  PayRequest,
} from '@counterfoil/contract/paying/public-pay.ts';
import { OVERLAY_MS } from '@counterfoil/contract/paying/public-pay-words.ts';
import type { CardDraft } from '../../../paying/card/card-draft.ts';
import type { TypedFields } from '../../../paying/card/card-form-model.ts';
import type { PayMembers } from '../../../paying/entry/sent-members.ts';
import type { Payable } from '../../../paying/payable.ts';
import { outcomeOfAttempt, sentOutcome } from '../../../paying/readings.ts';
import type { DraftStore } from '../form/draft.ts';
import { amountSent, type ShownPrice, wholePrice } from '../form/part-price.ts';
import { eventOfDetails, eventOfRefusal, receiptOf, stillDueOf } from './pay-readings.ts';

/** A card as it is sent. */
export interface EnteredCard extends PayMembers, Omit<TypedFields, 'payer'> {
  readonly ownPage?: true;
  /** Of the payer, where the gateway asks for it. */
  readonly nexioCustomerDetails?: PayerMembers;
  /** As typed beside it. */
  readonly draft: CardDraft;
}

/** A bank account as it is sent, with what its holder has agreed to. Nothing of it is kept. */
export interface EnteredAccount extends PayMembers {
  readonly ownPage?: true;
  readonly paymentMethodType: string;
  readonly accountHolderName: string;
  readonly mandateAccepted: true;
  readonly mandateVersion?: string;
  readonly email?: string;
  readonly draft?: undefined;
}

/** What the payer sends; the draft is kept over a visit at the bank. */
export type Submission = EnteredCard | EnteredAccount;

/** A submission with the price as shown; else all that is due. */
export type PricedSubmission = Submission & { readonly price?: ShownPrice | undefined };

/** The three calls of the page; all reject with `ApiError`. */
export interface PayCalls {
  readonly details: () => Promise<PaymentInfo>;
  readonly pay: (body: PayRequest, idempotencyKey: string) => Promise<PayAnswer>;
  readonly confirm: (body: ConfirmationRequest) => Promise<PayAnswer>;
}

interface PayLinkParts {
  readonly uid: string;
  readonly calls: PayCalls;
  /** Whether this page can take methods so. */
  readonly canTake: (config: EntryConfig) => boolean;
  readonly drafts: Pick<DraftStore, 'load' | 'save' | 'clear'>;
}

/** The invoice of a pay link. */
export const payLink = ({
  uid,
  calls,
  canTake,
  drafts,
}: PayLinkParts): Payable<PaymentInfo, PricedSubmission> => ({
  load: calls.details,
  read: calls.details,
  confirm: calls.confirm,
  askedAbout: (outcome) => ({ reqUid: outcome?.attemptId ?? '', uid }),
  prepare({ draft, price, ...fields }, info) {
    const shown = price ?? wholePrice(info);
    const body = { uid, invoiceNumber: info.InvoiceNumber, ...fields, ...amountSent(info, shown) };
    if (draft) drafts.save(draft);
    return {
      send: (key) => calls.pay(body, key),
      outcome: sentOutcome(shown.total),
      receiptTo: receiptOf(info, fields.email),
    };
  },
  readingOf: (info) => ({
    event: eventOfDetails(info, canTake),
    attempt: info.attempt
      ? {
          status: info.attempt.status,
          expected: info.attempt.expected,
          outcome: outcomeOfAttempt(info.attempt),
        }
      : undefined,
    due: info.invoiceAmount,
    stillDue: stillDueOf(info),
    receiptTo: receiptOf(info, drafts.load()?.email),
  }),
  afterLoadFailure: () => 'loadFailed',
  afterRefusal: (code) => eventOfRefusal[code],
  isReread: false,
  hasForm: true,
  overlayMs: OVERLAY_MS,
  onState(state) {
    if (state === 'success' || state === 'paid' || state === 'credited') drafts.clear();
  },
});
