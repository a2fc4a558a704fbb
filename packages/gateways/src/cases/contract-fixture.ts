/** What a gateway's own test gives to the contract suite, and the steps that its parts share. */

import type {
  Capabilities,
  Charge,
  ChargeSource,
  Decline,
  Gateway,
  GatewayState,
  Outcome,
  PayOnce,
} from '../port/gateway.ts';
import { testCharge } from './contract-charge.ts';

export interface DeclinedCard {
  readonly name: string;
  readonly pay: ChargeSource;
  readonly class: Decline['class'];
  readonly text: string;
}

/** A kind of bank account that is debited once. */
export interface DebitedAccount {
  readonly scheme: string;
  readonly currency: string;
  /** With what its holder has agreed to. */
  readonly pay: PayOnce;
  /** One whose bank returns the debit. */
  readonly returned: PayOnce;
  /** A card, which must not be taken for it. */
  readonly cardToken: PayOnce;
}

/** A webhook delivery as it came over the wire. */
export interface Delivery {
  readonly raw: Uint8Array;
  readonly headers: Headers;
  /** When it came, by the clock deliveries are signed with. */
  readonly at: Date;
}

export interface ContractFixture {
  readonly gateway: Gateway;
  /** The same account with an answer limit of this many milliseconds, for faults that time out. */
  readonly impatient: Gateway;
  /** The same account with keys the gateway refuses. */
  readonly lockedOut: Gateway;
  /** The same account at an address where nothing listens. */
  readonly nowhere: Gateway;
  now(): Date;
  /** Moves the clocks of both sides. */
  advance(milliseconds: number): Promise<void>;
  readonly good: ChargeSource;
  readonly declined: readonly DeclinedCard[];
  /** Accounts that are debited once, as the gateway's manifest names them; absent where there are none. */
  readonly accounts?: readonly DebitedAccount[];
  /** A card whose bank asks the payer; absent where there is no such thing. */
  readonly challenged?: {
    readonly pay: ChargeSource;
    /** Plays the payer on the page `to`; gives the query the browser comes back with. Throws when the page refuses. */
    answer(to: string, how: 'complete' | 'fail'): Promise<Readonly<Record<string, string>>>;
  };
  /** Plays the payer on the page of {@link Gateway.createCheckout}, with a good card; absent where there is none. */
  payOnPage?(to: string): Promise<void>;
  /** Orders a fault of the sandbox (specification, design 5) for the next requests of that operation. */
  fault(
    operation: 'charge' | 'refund' | 'save' | 'find',
    mode: string,
    more?: Record<string, unknown>,
  ): Promise<void>;
  clearFaults(): Promise<void>;
  /** Minor units really taken under a reference, one entry per charge: the sandbox's journal, not the protocol. */
  taken(ref: string): Promise<readonly bigint[]>;
  /** The same for what went back. */
  given(ref: string): Promise<readonly bigint[]>;
  /** Waits for a delivery of an event about a remote id; absent where the gateway has no signed hook. */
  delivery?(remote: string): Promise<Delivery>;
  close(): Promise<void>;
}

/** What is known before the fixture is open: it decides which tests there are. */
export interface Contract {
  readonly name: string;
  readonly can: Capabilities;
  /** `open` gives `challenged`. */
  readonly hasChallenges: boolean;
  /** The gateway has `checkout`, and `open` gives `payOnPage`. */
  readonly hasPage?: true;
  /** Bank accounts are debited once, and `open` gives `accounts`. */
  readonly hasDebits?: true;
  /** Called once. */
  open(): Promise<ContractFixture>;
}

/** What the test charges amount to, minor units. */
export const amount = 12_550n;

/** Steps in an open fixture. */
export class Steps {
  readonly fixture: ContractFixture;

  constructor(fixture: ContractFixture) {
    this.fixture = fixture;
  }

  charge(over: Partial<Charge> = {}): Charge {
    return testCharge({ sentAt: this.fixture.now(), source: this.fixture.good, ...over });
  }

  /** Charges; gives the outcome and the state an engine would have stored. */
  async pay(
    charge: Charge,
    gateway = this.fixture.gateway,
  ): Promise<{ outcome: Outcome; state: GatewayState }> {
    let state: GatewayState = {};
    const outcome = await gateway.charge(charge, (kept) => {
      state = kept;
      return Promise.resolve();
    });
    return { outcome, state: 'state' in outcome && outcome.state !== undefined ? outcome.state : state };
  }

  async paid(charge: Charge): Promise<Extract<Outcome, { is: 'succeeded' }>> {
    const { outcome } = await this.pay(charge);
    if (outcome.is !== 'succeeded') throw new Error(`expected succeeded, got ${JSON.stringify(outcome)}`);
    return outcome;
  }
}

/** A charge as the engine builds it again: a one-time token is gone. */
export const lost = (charge: Charge): Charge =>
  charge.source !== 'lost' && 'saved' in charge.source ? charge : { ...charge, source: 'lost' };
