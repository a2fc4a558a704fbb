/** What is typed beside a card. The card itself never leaves its entry. */
export interface CardDraft {
  readonly cardHolder: string;
  readonly payerFirstName: string;
  readonly payerLastName: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
  readonly shippingAddress: string;
}

export type DraftField = keyof CardDraft;

export const emptyDraft: CardDraft = {
  cardHolder: '',
  payerFirstName: '',
  payerLastName: '',
  company: '',
  email: '',
  phone: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  shippingAddress: '',
};

export const draftFields = Object.keys(emptyDraft) as readonly DraftField[];
