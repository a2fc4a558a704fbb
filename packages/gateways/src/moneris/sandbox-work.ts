/** What Moneris' sandbox does with a transaction that it understands: cards in a vault, orders, money. */
import { newId } from '@counterfoil/sandbox/ids.ts';
import { planOf, recordCharge, recordRefund } from '@counterfoil/sandbox/money/movements.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import type { Turn } from '@counterfoil/sandbox/turn.ts';
import { escapeXml } from '../kit/xml.ts';
import {
  answerTo,
  approved,
  batchOf,
  type Card,
  checked,
  currencyOf,
  easternTime,
  expired,
  invalidNumber,
  maskOf,
  newKey,
  type Order,
  recordsOf,
  type Said,
  type StoreRecords,
  typeOf,
} from './sandbox-data.ts';

export const gateway = 'moneris';
const statusCheckMs = 2 * 60_000;
export const longestTemporarySeconds = 900;

type Fields = Readonly<Record<string, string>>;

/** A request that is answered without being carried out. */
export class Refusal extends Error {
  readonly fields: Fields;
  constructor(message: string, fields: Fields = {}) {
    super(message);
    this.fields = { Message: message, Complete: 'false', ...fields };
  }
}

/** Names of a receipt in the order in which they are answered; what is not known is the word `null`. */
const names =
  'DataKey ReceiptId ReferenceNum ResponseCode ISO AuthCode Message TransTime TransDate TransType Complete TransAmount CardType TransID TimedOut CorporateCard RecurSuccess AvsResultCode CvdResultCode ResSuccess PaymentType IsVisaDebit status_code status_message'.split(
    ' ',
  );

export function receiptXml(fields: Fields, card?: Pick<Card, 'masked' | 'expiry'> & Partial<Card>): string {
  const shown = names.flatMap((name) => {
    const value = fields[name];
    if (value === undefined && name.startsWith('status_')) return [];
    return [`<${name}>${escapeXml(value ?? 'null')}</${name}>`];
  });
  const { cust_id = '', phone = '', email = '', note = '' } = card?.holder ?? {};
  const stored = {
    cust_id,
    phone,
    email,
    note,
    expdate: card?.expiry ?? '',
    masked_pan: card?.masked ?? '',
    crypt_type: card?.cryptType ?? '7',
    avs_street_number: '',
    avs_street_name: '',
    avs_zipcode: '',
  };
  const data = Object.entries(stored).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  const resolved = card === undefined ? 'null' : data.join('');
  const issuer = fields['IssuerId'] ?? 'null';
  return `<?xml version="1.0" standalone="yes"?><response><receipt>${shown.join('')}<ResolveData>${resolved}</ResolveData><IssuerId>${issuer}</IssuerId></receipt></response>`;
}

/** What client programs write when nothing was understood. */
export const globalError = (message: string): Fields => ({
  ReceiptId: 'Global Error Receipt',
  Message: message,
  Complete: 'false',
});

/** One transaction, read: its values by name, those of groups beside them. */
export interface Transaction {
  readonly call: string;
  readonly values: Fields;
  readonly isStatusCheck: boolean;
}

export class StoreWork {
  readonly #turn: Turn;
  readonly #name: string;
  readonly #records: StoreRecords;

  constructor(turn: Turn, name: string) {
    this.#turn = turn;
    this.#name = name;
    this.#records = recordsOf(turn.host.store, name);
  }

  get #now(): number {
    return this.#turn.host.clock.now();
  }

  run({ call, values, isStatusCheck }: Transaction): string {
    if (isStatusCheck) return this.#status(values);
    switch (call) {
      case 'purchase':
        return this.#decide(values, this.#entered(values), 'purchase');
      case 'card_verification':
        return this.#decide(values, this.#entered(values), 'verification');
      case 'res_purchase_cc':
        return this.#decide(values, this.#keyed(values), 'purchase');
      case 'res_card_verification_cc':
        return this.#decide(values, this.#keyed(values), 'verification');
      case 'res_add_cc':
        return this.#keep(values, this.#entered(values));
      case 'res_add_token':
        return this.#keep(values, this.#temporary(values));
      case 'res_temp_add':
        return this.#keepShortly(values);
      case 'refund':
      case 'purchasecorrection':
        return this.#undo(call, values);
      default:
        return this.#vault(call, values);
    }
  }

  /** A card from its number, which goes no further than this. */
  #entered(values: Fields): Card {
    const { pan = '', expdate = '', crypt_type: cryptType = '7' } = values;
    if (!passesLuhn(pan)) throw new Refusal(invalidNumber[2], this.#said(invalidNumber));
    return {
      key: '',
      type: typeOf(pan),
      masked: maskOf(pan),
      expiry: expdate,
      holder: { cust_id: '', phone: '', email: '', note: '' },
      cryptType,
    };
  }

  #said([code, iso, message]: Said): Fields {
    return { ResponseCode: code, ISO: iso, Message: message, Complete: 'true', ResSuccess: 'false' };
  }

  #known(key: string): Card | undefined {
    const card = this.#records.cards.get(key);
    return card?.until !== undefined && card.until < this.#now ? undefined : card;
  }

  /** The card behind a key; a temporary one has its expiry beside it. */
  #keyed(values: Fields): Card {
    const card = this.#known(values['data_key'] ?? '');
    if (card === undefined) throw new Refusal('Invalid data key', { ResSuccess: 'false' });
    const { expdate } = values;
    if (card.until === undefined) return card;
    if (expdate === undefined) throw new Refusal('A temporary token needs an expiry date');
    return { ...card, expiry: expdate };
  }

  #temporary(values: Fields): Card {
    const card = this.#keyed(values);
    if (card.until === undefined) throw new Refusal('The token is not a temporary one');
    return card;
  }

  #checkAgreement(values: Fields, card: Card): void {
    const { payment_information: information, payment_indicator: indicator, issuer_id: issuer = '' } = values;
    if (values['has cof_info'] === undefined) return;
    const isFirst = information === '0';
    const isKnown = issuer === '' || this.#records.issuers.get(issuer) === true;
    const isChained = information !== '2' || card.issuer === undefined || issuer === card.issuer;
    const isIndicated = information === undefined || (isFirst ? indicator === 'C' : indicator !== 'C');
    if (!isKnown || !isChained || !isIndicated || (isFirst && issuer !== ''))
      throw new Refusal('Invalid credential on file information');
  }

  /** Asks the card's issuer, and takes the money of a purchase. */
  #decide(values: Fields, card: Card, purpose: 'purchase' | 'verification'): string {
    const { order_id: id = '', amount = '0.00' } = values;
    // The trap: the vault part is told as done, with all the card's data.
    if (this.#records.orders.get(id) !== undefined) throw new DuplicateOrder(card);
    this.#checkAgreement(values, card);
    const isPurchase = purpose === 'purchase';
    const checks = checked(this.#name, amount, {
      address: values['has avs_info'] !== undefined,
      code: codeOf(values, card),
    });
    const month = easternTime(this.#now).slice(2, 7).replace('-', '');
    const said =
      card.expiry < month
        ? expired
        : checks.isDeclined
          ? declinedByChecks
          : isPurchase
            ? answerTo(amount, card.type)
            : approved;
    const isApproved = Number(said[0]) < 50;
    const minor = Number(amount.replace('.', ''));
    const plan = planOf(this.#turn, {}, minor);
    const captured = isPurchase && isApproved ? (plan.captures ?? minor) : 0;
    const transaction = `${this.#records.orders.size + 1}-0_${batchOf(this.#now).slice(-2)}`;
    const isFirst = values['payment_information'] === '0';
    const issuer = isApproved && isFirst ? newId('SIM').replace('_', '').slice(0, 15) : undefined;
    const [date = '', time = ''] = easternTime(this.#now).split(' ');
    const receipt: Fields = {
      ...this.#said(said),
      ...(card.key === '' ? {} : { DataKey: card.key, ResSuccess: 'true' }),
      ReceiptId: id,
      ReferenceNum: `60000001${String(this.#records.orders.size).padStart(6, '0')}0420`,
      AuthCode: isApproved ? 'S10042' : '000000',
      TransDate: date,
      TransTime: time,
      TransType: isPurchase ? '00' : '06',
      TransAmount: isPurchase ? (isApproved ? decimal(captured) : amount) : '0.00',
      CardType: card.type,
      TransID: transaction,
      TimedOut: 'false',
      CorporateCard: 'false',
      IsVisaDebit: 'false',
      PaymentType: 'cc',
      AvsResultCode: checks.avs,
      CvdResultCode: checks.code,
      ...(issuer === undefined ? {} : { IssuerId: issuer }),
    };
    this.#put({ id, transaction, minor: captured, isApproved, isPurchase, receipt, card });
    if (issuer !== undefined) this.#turn.tx.put(this.#records.issuers, issuer, true);
    const movement = this.#movement(id, id, `${id}/${transaction}`, captured);
    if (captured > 0) recordCharge(this.#turn, movement, { plan, disputed: undefined });
    this.#useUpCode(card);
    return receiptXml(receipt, card);
  }

  #put(
    order: Pick<Order, 'id' | 'transaction' | 'minor' | 'isApproved' | 'isPurchase' | 'receipt' | 'card'>,
  ): void {
    const { masked, expiry } = order.card;
    const more = { refunded: 0, isCorrected: false, batch: batchOf(this.#now), at: this.#now };
    this.#turn.tx.put(this.#records.orders, order.id, { ...order, ...more, card: { masked, expiry } });
  }

  #movement(reference: string, remote: string, movement: string, minor: number) {
    return {
      gateway,
      reference,
      idempotencyKey: null,
      metadata: {},
      remote,
      movement: `${this.#name}/${movement}`,
      account: this.#name,
      minor,
      currency: currencyOf(this.#name),
    };
  }

  #useUpCode({ key, code }: Card): void {
    const card = this.#records.cards.get(key);
    if (code === undefined || card === undefined) return;
    const { code: _used, ...rest } = card;
    this.#turn.tx.put(this.#records.cards, key, rest);
  }

  #keep(values: Fields, from: Card): string {
    this.#checkAgreement(values, from);
    const { cust_id = '', phone = '', email = '', note = '', issuer_id: issuer = '' } = values;
    const { until: _until, code: _code, ...entered } = from;
    const card: Card = {
      ...entered,
      key: newKey(),
      holder: { cust_id, phone, email, note },
      ...(issuer === '' ? {} : { issuer }),
    };
    this.#turn.tx.put(this.#records.cards, card.key, card);
    return this.#kept(card);
  }

  #keepShortly(values: Fields): string {
    const seconds = Number(values['duration']);
    if (seconds < 1 || seconds > longestTemporarySeconds) throw new Refusal('Invalid duration');
    const card = { ...this.#entered(values), key: `ot-${newKey()}`, until: this.#now + seconds * 1_000 };
    this.#turn.tx.put(this.#records.cards, card.key, card);
    return this.#kept(card);
  }

  #kept(card: Card): string {
    return receiptXml(
      {
        DataKey: card.key,
        ResponseCode: '001',
        Message: 'Successfully registered CC details.',
        Complete: 'true',
        TimedOut: 'false',
        ResSuccess: 'true',
        PaymentType: 'cc',
      },
      card,
    );
  }

  #vault(call: string, values: Fields): string {
    const key = values['data_key'] ?? '';
    const card = this.#known(key);
    if (card === undefined || card.until !== undefined)
      throw new Refusal('Record not found', { ResponseCode: '983', Complete: 'true', ResSuccess: 'false' });
    if (call === 'res_delete') this.#turn.tx.remove(this.#records.cards, key);
    if (call !== 'res_update_cc') return this.#kept(card);
    const { phone = card.holder.phone, email = card.holder.email, note = card.holder.note } = values;
    const changed = {
      ...card,
      ...(values['pan'] === undefined ? {} : this.#entered(values)),
      key,
      expiry: values['expdate'] ?? card.expiry,
      holder: { cust_id: values['cust_id'] ?? card.holder.cust_id, phone, email, note },
    };
    this.#turn.tx.put(this.#records.cards, key, changed);
    return this.#kept(changed);
  }

  #undo(call: 'refund' | 'purchasecorrection', values: Fields): string {
    const { order_id: id = '', txn_number: transaction, amount, cust_id: reference = '' } = values;
    const order = this.#records.orders.get(id);
    const isVoid = call === 'purchasecorrection';
    const isFound = order?.transaction === transaction && order?.isPurchase && order.isApproved;
    if (order === undefined || !isFound || order.isCorrected)
      throw new Refusal('No Pre-auth corresponds to the store Id and order Id and transaction Id entered');
    if (isVoid && (order.refunded > 0 || order.batch !== batchOf(this.#now)))
      throw new Refusal('No Pre-auth corresponds to the store Id and order Id and transaction Id entered');
    const minor = isVoid ? order.minor : Number(amount?.replace('.', ''));
    if (minor < 1 || order.refunded + minor > order.minor)
      throw new Refusal('The refund amount exceeds the amount of the original transaction');
    const undo = `${transaction}R${order.refunded}`;
    const sums = {
      movement: `${this.#name}/${id}/${transaction}`,
      taken: order.minor,
      refunded: order.refunded,
    };
    const refunded = recordRefund(
      this.#turn,
      sums,
      this.#movement(reference, id, `${id}/${undo}`, minor),
      false,
    );
    this.#turn.tx.put(this.#records.orders, id, { ...order, refunded, isCorrected: isVoid });
    return receiptXml({
      ...this.#said(approved),
      ResSuccess: 'null',
      ReceiptId: id,
      AuthCode: 'S10043',
      TransType: isVoid ? '11' : '04',
      TransAmount: decimal(minor),
      TransID: undo,
      TimedOut: 'false',
    });
  }

  /** What became of an order: once, and within two minutes. */
  #status({ order_id: id = '' }: Fields): string {
    const order = this.#records.orders.get(id);
    const isLate = order !== undefined && this.#now - order.at > statusCheckMs;
    if (isLate || this.#records.checks.get(id) === true)
      throw new Refusal('The status was asked for before, or too late', globalError('Status check refused'));
    this.#turn.tx.put(this.#records.checks, id, true);
    if (order === undefined) return receiptXml(notFound);
    return receiptXml({ ...order.receipt, status_code: '001', status_message: 'Found' }, order.card);
  }
}

export const notFound: Fields = {
  Message: 'null',
  Complete: 'false',
  status_code: '051',
  status_message: 'Transaction not found',
};
const declinedByChecks: Said = ['481', '05', 'DECLINED           *                    ='];
const decimal = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

/** The code as it was sent, or as the hosted frame took it. */
function codeOf(values: Fields, { code }: Card): string | undefined {
  if (values['cvd_indicator'] === '1') return values['cvd_value'];
  return code === undefined ? undefined : code === 'good' ? '123' : '000';
}

export class DuplicateOrder extends Refusal {
  readonly card: Card;
  constructor(card: Card) {
    super('The transaction was not sent to the host because of a duplicate order id', {
      DataKey: card.key,
      ResSuccess: 'true',
    });
    this.card = card;
  }
}
