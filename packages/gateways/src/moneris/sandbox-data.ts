/** What Moneris' documentation says of requests, test amounts and test cards; and what its sandbox remembers. */
import { newId } from '@counterfoil/sandbox/ids.ts';
import type { Collection, Store } from '@counterfoil/sandbox/store.ts';

// ---- Requests ----

/** Children of each transaction in the order in which they must stand; `?` may be missing. */
export const transactions: Readonly<Record<string, string>> = {
  purchase:
    'order_id cust_id? amount pan expdate crypt_type dynamic_descriptor? avs_info? cvd_info? cof_info?',
  card_verification: 'order_id cust_id? pan expdate crypt_type avs_info? cvd_info? cof_info?',
  res_add_cc: 'cust_id? phone? email? note? pan expdate crypt_type data_key_format? avs_info? cof_info?',
  res_add_token:
    'data_key cust_id? phone? email? note? expdate crypt_type data_key_format? avs_info? cof_info?',
  res_temp_add: 'pan expdate crypt_type duration data_key_format?',
  res_update_cc: 'data_key cust_id? phone? email? note? pan? expdate? crypt_type avs_info? cof_info?',
  res_delete: 'data_key',
  res_lookup_masked: 'data_key',
  res_purchase_cc:
    'data_key order_id cust_id? amount crypt_type dynamic_descriptor? expdate? avs_info? cvd_info? cof_info?',
  res_card_verification_cc: 'data_key order_id crypt_type expdate? avs_info? cvd_info? cof_info?',
  refund: 'order_id amount txn_number crypt_type cust_id? dynamic_descriptor?',
  purchasecorrection: 'order_id txn_number crypt_type cust_id?',
};

export const groups: Readonly<Record<string, string>> = {
  cvd_info: 'cvd_indicator cvd_value',
  avs_info: 'avs_street_number? avs_street_name? avs_zipcode?',
  cof_info: 'payment_indicator? payment_information? issuer_id?',
};

/** What a value may look like; one that is not here is free text of at most 50 characters. */
export const shapes: Readonly<Record<string, RegExp>> = {
  order_id: /^[a-zA-Z0-9_-]{1,50}$/,
  amount: /^\d{1,7}\.\d\d$/,
  pan: /^\d{12,20}$/,
  expdate: /^\d{4}$/,
  crypt_type: /^[1-7]$/,
  duration: /^\d{1,3}$/,
  cvd_indicator: /^[0129]$/,
  cvd_value: /^\d{3,4}$/,
  payment_indicator: /^[CRUZVX]$/,
  payment_information: /^[0-3]$/,
  issuer_id: /^[A-Za-z0-9]{0,15}$/,
};

/** Keys of this sandbox alone: those that the provider publishes for everybody are refused. */
export const isStore = (store: string, token: string): boolean =>
  /^sim-[A-Za-z0-9_-]{1,20}$/.test(store) && token === 'sim-token';

/** Stores with address and code checks by amount. */
export const isFraudStore = (store: string): boolean => store.startsWith('sim-efraud');
export const currencyOf = (store: string): string => (store.endsWith('-usd') ? 'USD' : 'CAD');

// ---- Test amounts ----

/** What an issuer says: the gateway's code, the ISO code, the message. */
export type Said = readonly [code: string, iso: string, message: string];

export const approved: Said = ['027', '01', 'APPROVED           *                    ='];
export const invalidNumber: Said = ['477', '14', 'DECLINED           *INVALID CARD        ='];
export const expired: Said = ['482', '54', 'DECLINED           *EXPIRED CARD        ='];
const refused = 'DECLINED           *                    =';

/** By cents, below 11.00. */
const byCents: Readonly<Record<string, Said>> = {
  '01': ['483', '02', 'CALL FOR AUTH      *                    ='],
  '02': ['484', '02', 'REFER TO ISSUER    *                    ='],
  '03': ['476', '03', refused],
  '04': ['421', '04', 'PICK UP CARD       *                    ='],
  '05': ['481', '05', refused],
  '06': ['050', '06', refused],
  '07': ['421', '07', 'PICK UP CARD       *                    ='],
  '08': ['004', '08', 'APPROVED W/ID      *                    ='],
  '09': ['078', '09', 'SYSTEM PROBLEM     *                    ='],
  '12': ['421', '12', refused],
  '13': ['476', '13', refused],
  '14': ['421', '14', refused],
  '50': ['421', '57', 'CARD DECLINED DO NOT RETRY              ='],
  '51': ['481', '51', refused],
  '54': expired,
  '68': ['113', '68', 'SYSTEM TIMEOUT     *                    ='],
};
/** The ones MasterCard is known to answer. */
const masterCardCents = new Set(['05']);

/** @param amount with two decimals @param type `V`, `M`, `AX`, … */
export function answerTo(amount: string, type: string): Said {
  const value = Number(amount);
  const cents = amount.slice(-2);
  if (type === 'AX') return amount === '5.00' ? ['438', '50', refused] : approved;
  if (value >= 51 && value <= 60) return ['421', '41', refused];
  if (value >= 120 && value <= 130) return expired;
  if (value >= 11) return approved;
  if (type === 'M' && !masterCardCents.has(cents)) return approved;
  return byCents[cents] ?? approved;
}

/** On a store with these checks: answer to the address, answer to the code, and whether it is declined. */
const byFraudAmount: Readonly<Record<string, readonly [avs?: string, code?: string, isDeclined?: true]>> = {
  '10.10': ['A'],
  '10.11': ['A'],
  '10.12': ['U'],
  '10.13': ['Y'],
  '10.14': ['U'],
  '10.15': ['U'],
  '10.16': ['Y'],
  '10.17': ['N'],
  '10.18': ['Z'],
  '10.19': ['R', 'M'],
  '10.20': ['U'],
  '10.21': ['Y'],
  '10.22': ['Z'],
  '10.23': ['U'],
  '10.24': ['N', 'N', true],
  '10.25': ['N', 'N', true],
  '10.26': ['N', 'N', true],
  '10.30': ['Y', 'P'],
  '10.31': ['Y', 'M'],
  '10.32': ['Y', 'N'],
  '10.33': ['Y', 'S'],
  '10.34': ['Y', 'U'],
  '10.35': ['Y', 'N', true],
  '10.36': ['Y', 'M', true],
  '10.37': ['Y', 'M', true],
};

/** What the checks come to. @param code as sent; `000` is no card's */
export function checked(
  store: string,
  amount: string,
  asked: { readonly address: boolean; readonly code: string | undefined },
): { readonly avs: string; readonly code: string; readonly isDeclined: boolean } {
  const [avs, code, isDeclined = false] = (isFraudStore(store) ? byFraudAmount[amount] : undefined) ?? [];
  return {
    avs: asked.address ? (avs ?? (isFraudStore(store) ? 'Y' : 'null')) : 'null',
    code: asked.code === undefined ? 'null' : `1${code ?? (asked.code === '000' ? 'N' : 'M')}`,
    isDeclined,
  };
}

const types: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'V'],
  [/^(5[1-5]|2[2-7])/, 'M'],
  [/^3[47]/, 'AX'],
  [/^35/, 'C1'],
  [/^(6011|64|65)/, 'NO'],
  [/^62/, 'UP'],
];
export const typeOf = (number: string): string =>
  types.find(([pattern]) => pattern.test(number))?.[1] ?? 'null';

export const maskOf = (number: string): string => `${number.slice(0, 4)}***${number.slice(-4)}`;
/** 25 letters and digits, never many digits in a row. */
export const newKey = (): string => `S${newId('k').slice(2)}`;

// ---- What is remembered; never a number, and never a code ----

export interface Card {
  readonly key: string;
  readonly type: string;
  /** First and last four digits. */
  readonly masked: string;
  /** YYMM. */
  readonly expiry: string;
  readonly holder: Readonly<Record<'cust_id' | 'phone' | 'email' | 'note', string>>;
  readonly cryptType: string;
  readonly issuer?: string;
  /** Of a temporary key: until when it can be used, milliseconds by the sandbox's clock. */
  readonly until?: number;
  /** The hosted frame took a code beside the number; the next request uses it up. */
  readonly code?: 'good' | 'bad';
}

export interface Order {
  readonly id: string;
  readonly transaction: string;
  readonly minor: number;
  readonly refunded: number;
  readonly isApproved: boolean;
  readonly isPurchase: boolean;
  readonly isCorrected: boolean;
  /** The day whose batch it is in. */
  readonly batch: string;
  readonly at: number;
  /** As it was answered. */
  readonly receipt: Readonly<Record<string, string>>;
  readonly card: Pick<Card, 'masked' | 'expiry'>;
}

export interface StoreRecords {
  readonly orders: Collection<Order>;
  readonly cards: Collection<Card>;
  /** Names of agreements that an issuer has given. */
  readonly issuers: Collection<true>;
  /** Order ids that a status check was made for. */
  readonly checks: Collection<true>;
}

export const recordsOf = (store: Store, name: string): StoreRecords => ({
  orders: store.collection<Order>(`moneris/${name}/order`),
  cards: store.collection<Card>(`moneris/${name}/card`),
  issuers: store.collection<true>(`moneris/${name}/issuer`),
  checks: store.collection<true>(`moneris/${name}/check`),
});

const eastern = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Toronto',
  dateStyle: 'short',
  timeStyle: 'medium',
});
/** `2031-02-03 10:15:00`, as the gateway's clock shows it. */
export const easternTime = (ms: number): string => eastern.format(ms);

const closingHour = 22;
/** The day whose batch a moment is in: batches close at ten in the evening. */
export const batchOf = (ms: number): string =>
  easternTime(ms + (24 - closingHour) * 60 * 60_000).slice(0, 10);
