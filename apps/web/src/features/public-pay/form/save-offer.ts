import type { Invoice } from '@counterfoil/contract/invoices.ts';
import type { NewMethod, PaymentDetails, SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import type { ComponentType } from 'react';
import { visitorApi as api } from '../../../lib/api/visitor-api.ts';
import { newIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { isDefiniteRefusal } from '../../../paying/outcome/failure.ts';
import { KeepCard, type SaveChoice, t } from './keep-card.tsx';

/** How the saving of a card ended, as far as this page follows it; `unknown`: nobody has answered. */
export type CardSaved = 'saved' | 'open' | 'refused' | 'unknown';

const ASK_AGAIN_MS = 1_500;

/** Saves a card for whoever is signed in. */
export interface SaveOffer {
  readonly companyName: string;
  readonly Choice: ComponentType<SaveChoice>;
  readonly wordsOf: (end: CardSaved) => string;
  readonly save: (card: NewMethod) => Promise<CardSaved>;
}

/**
 * What a payer may be offered who is signed in and for whose customer the invoice is: the server answers whose invoices
 * these are. Undefined for everybody else; nobody is sent to a sign-in from a pay link.
 */
export async function findSaveOffer(uid: string): Promise<SaveOffer | undefined> {
  const [invoices, details] = await Promise.all([
    api.get<readonly Invoice[]>('/v1/ec/invoices'),
    api.get<PaymentDetails>('/v1/ec/payments/details'),
  ]);
  const { paths, card, enabled, apiStatus, companyName, paymentType } = details;
  const isOwn = invoices.some(({ payToken }) => payToken === uid);
  if (!isOwn || !enabled || !apiStatus || card === null || paths === null) return undefined;
  return {
    companyName,
    Choice: KeepCard,
    wordsOf: (end) => t(end),
    async save(typed) {
      const headers = { 'idempotency-key': newIdempotencyKey() };
      const body = { ...typed, type: paymentType };
      const send = (): Promise<CardSaved> =>
        api
          .post<SetupAnswer>(paths.cards, body, { headers })
          .then(({ status }) => (status === 'succeeded' ? 'saved' : 'open'))
          .catch((error: unknown) => (isDefiniteRefusal(error) ? 'refused' : 'unknown'));
      const first = await send();
      if (first !== 'unknown') return first;
      // Its answer was lost: under the same key nothing is saved twice.
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      return send();
    },
  };
}
