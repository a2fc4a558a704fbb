import type { Locator } from '@playwright/test';
import { type Card, cards } from './pay-page.ts';

/** How the forms of one gateway are filled in. */
interface Form {
  /** The row of the method once it is saved. */
  readonly title: string;
  /** Types it. @param place the dialog, the page, or the gateway's own page */
  enter(place: Locator): Promise<void>;
  /** The gateway's own page asks for it. */
  readonly onOwnPage?: true;
  /** A field that its gateway changes, and what is typed there; absent: nothing can be changed. */
  readonly edit?: readonly [label: string, text: string];
  /** Nothing is changed while the country is not known. */
  readonly needsCountry?: true;
}

/** A gateway, as the test of every gateway drives it in its sandbox. A new gateway is a row more. */
export interface GatewayForms {
  /** Of the test; its folder's name unless said. */
  readonly name?: string;
  /** Its folder's name. */
  readonly gateway: string;
  readonly currency: string;
  /** Settings of the brand, and of the gateway's account, `name=value`. */
  readonly settings?: readonly string[];
  readonly accountSettings?: readonly string[];
  /** Numbers pass through our server; else none may. */
  readonly isToUs?: true;
  readonly card?: Form & { readonly number: string };
  readonly bank?: Form & {
    /** Title of the list of accounts. */
    readonly list: string;
    /** Working days, as a payer is told them. */
    readonly within: string;
  };
}

/** Inputs of our own, whose numbers go to the provider's host or to ours. */
const ownCard =
  ({ number, expiry, cvc }: Card) =>
  async (place: Locator): Promise<void> => {
    await place.getByLabel('Card number').fill(number);
    await place.getByLabel('Expiry date').fill(expiry);
    await place.getByLabel('CVC').fill(cvc);
  };

/** Number and code in the provider's frame, the expiry beside it. */
const monerisCard =
  ({ number, expiry, cvc }: Card) =>
  async (place: Locator): Promise<void> => {
    const frame = place.frameLocator('iframe[title="Card details, at the payment provider"]');
    await frame.getByLabel('Card number').fill(number);
    await frame.getByLabel('CVC').fill(cvc);
    await place.getByLabel('Expiry date').fill(expiry);
  };

/** Each input in a frame of its own, the holder's name too. */
const framedCard =
  ({ number, expiry, cvc }: Card) =>
  async (place: Locator): Promise<void> => {
    const [month = '', year = ''] = expiry.split('/').map((part) => part.trim());
    const typed = { number, month, year, cvn: cvc, name: 'Eve Endtoend' };
    for (const [name, text] of Object.entries(typed))
      await place
        .frameLocator(`iframe[title="Card ${name}, at the payment provider"]`)
        .getByRole('textbox')
        .fill(text);
  };

/** Whoever pays, as Nexio asks for them; a shipping address where a card is saved. */
async function nexioPayer(place: Locator): Promise<void> {
  await place.getByLabel('First name').fill('Eve');
  await place.getByLabel('Last name').fill('Endtoend');
  const shipping = place.getByLabel('Shipping address');
  if (await shipping.isVisible()) await shipping.fill('1 Bay Rd');
}

/** All of the card in the provider's frame. */
const nexioCard =
  ({ number, expiry, cvc }: Card) =>
  async (place: Locator): Promise<void> => {
    const frame = place.frameLocator('iframe[title="Card details, at the payment provider"]');
    await frame.getByLabel('Card number').fill(number);
    await frame.getByLabel('Expiry').fill(expiry);
    await frame.getByLabel('Security code').fill(cvc);
    await nexioPayer(place);
  };

const texts =
  (typed: Readonly<Record<string, string>>) =>
  async (place: Locator): Promise<void> => {
    for (const [label, text] of Object.entries(typed))
      await place.getByLabel(label, { exact: true }).fill(text);
  };

/** BPOINT's sandbox knows its provider's test cards only. In parts: no text of the project looks like a card. */
const bpointVisa: Card = { ...cards.good, number: ['4987', '6543', '2109', '8769'].join('') };

const bpointCard = {
  title: 'Visa ending 769',
  number: bpointVisa.number,
  edit: ['Name', 'Ada Nakamura'],
} as const;

/** A bank account that is typed where numbers may pass through our server. */
export const usAccount = '000440910123';

const authorizeNet: GatewayForms = {
  gateway: 'authorize-net',
  currency: 'USD',
  settings: ['directDebitPaymentMethodId=1'],
  card: {
    title: 'Visa ending 4242',
    number: cards.good.number,
    enter: ownCard(cards.good),
    edit: ['City', 'Omaha'],
    needsCountry: true,
  },
  bank: {
    list: 'ACH',
    title: 'account ending 0123',
    within: '1 working day',
    async enter(place) {
      await texts({
        'Name on account': 'Ada Nakamura',
        'Routing number': '121042882',
        'Account number': usAccount,
        'Bank name': 'First Bank',
      })(place);
      await place.getByLabel('Account type').selectOption('checking');
    },
    edit: ['City', 'Omaha'],
  },
};

export const gatewayForms: readonly GatewayForms[] = [
  authorizeNet,
  {
    ...authorizeNet,
    name: 'authorize-net, numbers to us',
    accountSettings: ['cardEntry=ownFieldsToUs', 'bankEntry=ownFieldsToUs'],
    isToUs: true,
  },
  {
    gateway: 'gocardless',
    currency: 'GBP',
    settings: ['directDebitPaymentMethodId=1'],
    bank: {
      list: 'BACS',
      title: 'account ending 11',
      within: '4 working days',
      enter: texts({ 'Account holder': 'Ada Nakamura', 'Sort code': '200000', 'Account number': '55779911' }),
      onOwnPage: true,
    },
  },
  {
    gateway: 'moneris',
    currency: 'CAD',
    card: {
      title: 'Visa ending 4242',
      number: cards.good.number,
      enter: monerisCard(cards.good),
      edit: ['Phone', '416 555 0199'],
    },
  },
  {
    gateway: 'pinch',
    currency: 'AUD',
    card: { title: 'Visa ending 4242', number: cards.good.number, enter: ownCard(cards.good) },
  },
  {
    gateway: 'bpoint',
    currency: 'AUD',
    settings: ['directDebitPaymentMethodId=1'],
    card: { ...bpointCard, enter: framedCard(bpointVisa) },
    bank: {
      list: 'Direct Debit',
      title: 'account ending 678',
      within: '3 working days',
      enter: texts({ 'Account holder name': 'Ada Nakamura', BSB: '062-000', 'Account number': '12345678' }),
    },
  },
  {
    gateway: 'bpoint',
    name: 'bpoint, our own inputs',
    currency: 'AUD',
    accountSettings: ['cardEntry=ownFieldsToProvider'],
    card: { ...bpointCard, enter: ownCard(bpointVisa) },
  },
  {
    gateway: 'nexio',
    currency: 'USD',
    card: {
      title: 'Visa ending 4242',
      number: cards.good.number,
      enter: nexioCard(cards.good),
      edit: ['City', 'Omaha'],
    },
  },
  {
    name: 'nexio, encrypted here',
    gateway: 'nexio',
    currency: 'USD',
    accountSettings: ['cardEntry=ownFieldsEncrypted'],
    card: {
      title: 'Visa ending 4242',
      number: cards.good.number,
      async enter(place) {
        await ownCard(cards.good)(place);
        await nexioPayer(place);
      },
      edit: ['City', 'Omaha'],
    },
  },
];
