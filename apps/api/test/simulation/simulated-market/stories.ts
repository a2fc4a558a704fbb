import { autoPayRound } from '../../../src/features/auto-pay/service.ts';
import { receiveMethodEvent } from '../../../src/features/payment-methods/events-service.ts';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { followUpEvents } from '../../../src/features/payments/webhooks/follow-up.ts';
import type { Market } from './market.ts';
import type { Acts, Bill, Customer } from './payers.ts';
import type { UnreliableGateway } from './unreliable-gateway.ts';

const ROUND_MS = 5_000;
const AUTO_PAY_MS = 15 * 60_000;
/** While all is quiet, rounds are further apart: they would find nothing either. */
const QUIET_ROUND_MS = 15 * 60_000;
const MINUTE = 60_000;

/** Whoever does something in the simulation, and when. */
export class Stories {
  readonly #m: Market;
  readonly #acts: Acts;
  readonly #gateway: UnreliableGateway;
  readonly #customers: readonly Customer[];
  #presses = 0;
  /** Stories that have not come to their end. */
  running = 0;

  constructor(market: Market, acts: Acts, gateway: UnreliableGateway, customers: readonly Customer[]) {
    this.#m = market;
    this.#acts = acts;
    this.#gateway = gateway;
    this.#customers = customers;
  }

  /** Begins a story every few seconds until `isEnough`. */
  begin(isEnough: () => boolean): void {
    const { time, trouble } = this.#m;
    if (isEnough()) return;
    void this.#tell();
    time.at(time.now + trouble.between(200, 4_000), () => this.begin(isEnough));
  }

  async #tell(): Promise<void> {
    const { time, trouble, violations } = this.#m;
    const customer = trouble.oneOf(this.#customers);
    if (customer === undefined) return;
    this.running += 1;
    await time.start(
      async () => {
        const bill = await this.#acts.newBill(customer);
        const steps = 3 + Math.floor(trouble.random() * 6);
        for (let at = 0; at < steps; at += 1) {
          // Few come back to a bill that is paid.
          if (at > 0 && trouble.random() < 0.6 && (await this.#acts.dueOf(bill)) === 0n) break;
          await this.#step(customer, bill);
          const isLong = trouble.random() < 0.15;
          await time.sleep(isLong ? trouble.between(MINUTE, 50 * MINUTE) : trouble.between(100, 15_000));
        }
      },
      (error) => violations.push(`a story broke: ${error instanceof Error ? error.stack : String(error)}`),
    );
    this.running -= 1;
  }

  async #step(customer: Customer, bill: Bill): Promise<void> {
    const { trouble } = this.#m;
    const roll = trouble.random();
    const acts = this.#acts;
    this.#presses += 1;
    const card = `tok_${this.#presses}`;
    if (roll < 0.2) return acts.press(bill, card, null);
    if (roll < 0.26) return acts.twice(bill, card, [null, null, null]);
    if (roll < 0.33) return acts.twice(bill, card, [`key${this.#presses}`, `key${this.#presses}`]);
    if (roll < 0.52) return acts.payTogether(customer, bill, roll < 0.4 ? 2 : 1);
    if (roll < 0.58) return acts.details(bill);
    if (roll < 0.62) return acts.refund(customer);
    if (roll < 0.64) return acts.giveCredit(customer);
    const one = trouble.oneOf(await acts.attemptsOf(bill));
    if (one === undefined) return acts.press(bill, card, null);
    if (roll < 0.8) this.#gateway.finishChallenge(one.ref);
    if (roll < 0.7 || roll >= 0.8) return acts.confirm(bill, one.id);
  }

  /** Two processes that look into what is open and follow up events, for as long as `goesOn`. */
  reconcile(goesOn: () => boolean): void {
    const { time, trouble, deps } = this.#m;
    const round = async () => {
      let asked = 0;
      const done = time.start(
        async () => {
          asked = (await reconcile(deps, 200)).asked;
        },
        () => trouble.count('round failed'),
      );
      const followed = time.start(
        async () => {
          const { tried, ended } = await followUpEvents({ ...deps, receiveMethodEvent });
          if (tried > ended) trouble.count('events put off');
        },
        () => trouble.count('event round failed'),
      );
      await Promise.race([Promise.all([done, followed]), time.sleep(MINUTE)]);
      trouble.count('rounds');
      if (!goesOn()) return;
      const pause = trouble.isOn || asked > 0 ? ROUND_MS : QUIET_ROUND_MS;
      time.at(time.now + pause, () => void round());
    };
    time.at(time.now, () => void round());
    time.at(time.now + ROUND_MS / 2, () => void round());
  }

  /** Charges what was announced as if its days had passed. */
  autoPay(goesOn: () => boolean): void {
    const { time, trouble, deps, pool, resellerId } = this.#m;
    const round = async () => {
      await pool.query(`update autopay_plan set charge_on = charge_on - 3 where state = 'announced'`);
      const done = time.start(
        async () => {
          for (const { did } of await autoPayRound(deps, { resellerId })) trouble.count(`auto ${did}`);
        },
        () => trouble.count('auto-pay round failed'),
      );
      await Promise.race([done, time.sleep(MINUTE)]);
      if (goesOn()) time.at(time.now + AUTO_PAY_MS, () => void round());
    };
    time.at(time.now + AUTO_PAY_MS, () => void round());
  }
}
