import type { DebitForm } from '@counterfoil/contract/paying/direct-debit.ts';
import type { EntryConfig } from '@counterfoil/contract/paying/entry-config.ts';
import type { Money } from '@counterfoil/domain/money/money.ts';
import { type PartRange, partRange } from '@counterfoil/domain/paying/part-payment.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { DebitScheme } from '@counterfoil/gateways/port/saved-manifest.ts';
import { refuseCardNumbers } from '../../http/guards/number-guard.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';
import {
  chargeStep,
  isTokenOf,
  leastCharge,
  type Refusal,
  refusalOf,
  takesCurrency,
  takesKind,
  type WayOfPaying,
} from './chargeable.ts';
import { coveredBy } from './credit.ts';
import { debitOf, mandateText, presentDebit } from './direct-debit.ts';
import { bankEntryOf, cardEntryOf, wayOfEntry } from './entry-config.ts';
import { feeSettingFor, type Price, priceFor } from './price.ts';
import { refuseUnchargeable, refuseWay } from './refuse-unchargeable.ts';

/** What a call sends of a method that is used once, as far as its shape goes. */
export interface EnteredParts {
  /** Empty where there is none. */
  readonly token: string;
  readonly entry?: unknown;
  readonly fields?: unknown;
  /** As {@link PaymentTerms.takesNumbers} lets them in. */
  readonly numbers?: unknown;
}

/**
 * The terms on which a brand is paid: what its gateway account takes, in which amounts, and the fee. Every screen, quote
 * and charge asks the same terms. Without an account there is a price, and nothing that refuses it.
 */
export class PaymentTerms {
  readonly #brand: Brand;
  readonly #account: GatewayAccount | undefined;

  constructor(brand: Brand, account: GatewayAccount | undefined) {
    this.#brand = brand;
    this.#account = account;
  }

  /** What an amount costs with the fee of a kind of method. */
  price(due: Money, kind: MethodKind): Price {
    return priceFor(due, kind, this.#brand, this.#account);
  }

  /** What the fee of an amount in `currency` is made of. */
  feeSetting(kind: MethodKind, currency: string) {
    return feeSettingFor(this.#brand, kind, currency);
  }

  /** The least that is charged in a currency; undefined where the gateway does not say. */
  least(currency: string): Money | undefined {
    return leastCharge(this.#account, currency);
  }

  /** What is charged in whole numbers of in a currency; undefined where any amount is. */
  step(currency: string): Money | undefined {
    return chargeStep(this.#account, currency);
  }

  /** Which parts of an amount can be paid; null where nothing is due. */
  parts(due: Money): PartRange | null {
    return partRange(due, this.least(due.currency), this.step(due.currency));
  }

  /** How much of a customer's credit, in minor units, is used for an amount, so that the rest can be charged. */
  creditFor(due: Money, unused: bigint): Money {
    return coveredBy(unused, due, this.#account);
  }

  /** Why the gateway would refuse a payment, known before it is asked; undefined where it would not. */
  refusal(way: WayOfPaying): Refusal | undefined {
    return refusalOf(this.#account, way);
  }

  /** Refuses a way of paying before there is a price. @throws {AppError} */
  refuse(way: Omit<WayOfPaying, 'total'>): void {
    refuseWay(this.#account, way);
  }

  /**
   * Refuses a charge at its price, as the gateway would.
   * @param offersPart a part of what is due can be paid instead
   * @throws {AppError} also payment.tooSmall and payment.amountNotRepresentable, with what can be paid
   */
  refuseCharge(way: Pick<WayOfPaying, 'kind' | 'source'>, price: Price, offersPart: boolean): void {
    refuseUnchargeable(this.#account, way, price, this.#brand, offersPart);
  }

  takesKind(kind: MethodKind): boolean {
    return this.#account !== undefined && takesKind(this.#account, kind);
  }

  /** Whether a method that is saved first can pay in a currency. */
  takesSaved(currency: string): boolean {
    if (this.#account?.module.manifest.saved === undefined) return false;
    return (['card', 'bank'] as const).some(
      (kind) => this.refusal({ kind, source: { by: 'saved', type: undefined }, currency }) === undefined,
    );
  }

  takesCurrency(currency: string): boolean {
    return this.#account !== undefined && takesCurrency(this.#account, currency);
  }

  /** Whether numbers of a kind pass this server to the provider: the account has chosen so. */
  takesNumbers(kind: MethodKind): boolean {
    return this.#account !== undefined && wayOfEntry(this.#account, kind)?.how === 'ownFieldsToUs';
  }

  /** Whether numbers of a kind are encrypted by the page, and only a security code passes this server in clear. */
  takesEncrypted(kind: MethodKind): boolean {
    return this.#account !== undefined && wayOfEntry(this.#account, kind)?.how === 'ownFieldsEncrypted';
  }

  /**
   * Refuses a number where a token is expected. A token of the provider may read like one, and only that may pass.
   * @param members by name, as far as they are there
   * @throws {AppError} request.invalid
   */
  refuseNumbersAsTokens(members: Readonly<Record<string, string | undefined>>): void {
    const pattern = this.#account?.module.manifest.saved?.token;
    for (const [name, value = ''] of Object.entries(members))
      if (pattern?.test(value.trim()) !== true) refuseCardNumbers({ [name]: value });
  }

  /** Whether what was sent of a method is what this account's way of entry makes: else it could only be refused. */
  takesEntered(kind: MethodKind, { token, entry, fields, numbers }: EnteredParts): boolean {
    if (token !== '' || numbers !== undefined || this.#account === undefined) return true;
    const { how } = wayOfEntry(this.#account, kind) ?? {};
    if (fields !== undefined)
      return how === 'ownFieldsEncrypted' || how === 'ownFieldsToProvider' || entry !== undefined;
    return entry !== undefined && this.#account.gateway.prepareEntry !== undefined;
  }

  /** Whether a one-time token can be one of this provider's. */
  takesToken(token: string): boolean {
    return this.#account !== undefined && isTokenOf(this.#account, token);
  }

  /** What a page needs to take a card, to be saved or to pay once; null where none is taken. */
  cardEntry(purpose: 'save' | 'payOnce'): EntryConfig | null {
    if (this.#account === undefined) return null;
    const { saved, payOnceFields = [] } = this.#account.module.manifest;
    const fields = purpose === 'save' ? (saved?.cardFields ?? []) : payOnceFields;
    const how = wayOfEntry(this.#account, 'card')?.how;
    const askedByProvider = how === undefined ? undefined : saved?.askedByProvider?.[how];
    const asked = fields.filter(({ name }) => askedByProvider?.includes(name) !== true);
    const entry = cardEntryOf(this.#account, this.#brand, asked);
    return entry === undefined
      ? null
      : { ...entry, purpose, ...(askedByProvider && { askedByProvider: [...askedByProvider] }) };
  }

  /** The direct debit that is offered, if any. */
  debit(): DebitScheme | undefined {
    return this.#account && debitOf(this.#brand, this.#account);
  }

  /** The form of a direct debit and the words its holder agrees to, as pages get them; null where none is taken. */
  debitForm(debit: DebitScheme): DebitForm | null {
    const entry = this.#account && bankEntryOf(this.#account, this.#brand, debit);
    return entry === undefined ? null : presentDebit(debit, this.#brand, entry);
  }

  /** What the holder of an account agrees to; undefined where the scheme has no words. */
  mandate(debit: DebitScheme): string | undefined {
    return mandateText(debit, this.#brand);
  }
}
