/** What is typed beside a card. The card itself never leaves the provider's fields. */
export interface CardDraft {
  readonly cardHolder: string;
  readonly email: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
}

export type DraftField = keyof CardDraft;

export const emptyDraft: CardDraft = {
  cardHolder: '',
  email: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  country: '',
};

export const draftFields = Object.keys(emptyDraft) as readonly DraftField[];
