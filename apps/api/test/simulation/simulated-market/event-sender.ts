import type { GatewayEvent, GatewayRef } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { receiveMethodEvent } from '../../../src/features/payment-methods/events-service.ts';
import { followUpEvents } from '../../../src/features/payments/webhooks/follow-up.ts';
import { receiveEvents } from '../../../src/features/payments/webhooks/inbox.ts';
import { type Market, USD } from './market.ts';
import type { AtGateway } from './unreliable-gateway.ts';

const HOUR = 3_600_000;
/** Half a day of trying. */
const MOST_TRIES = 100;

/** Half of the charges are left to refunds that are ordered here; events of reversals are about the others. */
export const isForRefunds = (ref: string): boolean => (ref.codePointAt(ref.length - 1) ?? 0) % 2 === 0;

type LateKind = NonNullable<GatewayEvent['reversal']>['kind'];

/** Webhooks of the gateway: early, late, twice, out of order, and again until they are taken. */
export class EventSender {
  readonly #market: Market;
  readonly #disputed = new Set<string>();
  #events = 0;
  #recent: readonly GatewayEvent[] = [];

  constructor(market: Market) {
    this.#market = market;
  }

  /** Something has become of a charge. */
  report(entry: AtGateway): void {
    const { trouble } = this.#market;
    if (trouble.random() < 0.9) {
      const isLate = trouble.random() < 0.2;
      this.#deliver(
        { ...this.#about(entry) },
        isLate ? trouble.between(60_000, HOUR) : trouble.between(0, 4_000),
      );
    }
    if (entry.state === 'taken' && !isForRefunds(entry.ref) && !this.#disputed.has(entry.ref))
      this.#dispute(entry);
  }

  #about({ ref }: AtGateway): Omit<GatewayEvent, 'id'> {
    return { about: 'charge', remote: remoteId(`r_${ref}`), ref: ref as GatewayRef };
  }

  /** What may become of a charge after its end, each with what may undo it. */
  #dispute(entry: AtGateway): void {
    const { trouble } = this.#market;
    const roll = trouble.random();
    const isPart = trouble.random() < 0.2;
    const minor = isPart ? entry.captured / 2n : entry.captured;
    if (entry.isBank) {
      if (roll < 0.15) this.#pair(entry, ['failed', 'resubmitted'], minor, 0.4);
    } else if (roll < 0.04) this.#pair(entry, ['chargeback', 'chargebackWon'], minor, 0.5);
    else if (roll < 0.06) this.#pair(entry, ['refund', 'refundFailed'], minor, 0.3);
  }

  #pair(entry: AtGateway, [first, second]: readonly [LateKind, LateKind], minor: bigint, back: number): void {
    const { trouble } = this.#market;
    this.#disputed.add(entry.ref);
    entry.away += minor;
    trouble.count(`gateway: ${first}`);
    const after = trouble.between(60_000, 6 * HOUR);
    const remote = `${first}_${entry.ref}`;
    this.#deliver(this.#late(entry, first, remote, minor), after);
    if (trouble.random() >= back) return;
    entry.away -= minor;
    trouble.count(`gateway: ${second}`);
    // A debit sent again has an id of its own; it may be told of before the failure as well.
    const isAhead = trouble.strikes('what undoes is told first', 0.3);
    const id = second === 'resubmitted' ? `${second}_${entry.ref}` : remote;
    this.#deliver(
      this.#late(entry, second, id, minor),
      isAhead ? after / 2 : after + trouble.between(0, 6 * HOUR),
    );
  }

  #late(entry: AtGateway, is: LateKind, remote: string, minor: bigint): Omit<GatewayEvent, 'id'> {
    const of = remoteId(`r_${entry.ref}`);
    return {
      about: 'charge',
      remote: of,
      reversal: { kind: is, remote: remoteId(remote), of, amount: USD(minor), code: 'x' },
    };
  }

  #deliver(what: Omit<GatewayEvent, 'id'>, afterMs: number): void {
    const { time, trouble } = this.#market;
    this.#events += 1;
    const event: GatewayEvent = { ...what, id: `evt_${this.#events}` };
    const all: GatewayEvent[] = [event];
    if (trouble.strikes('the same is told by two events', 0.15)) {
      const again = { ...event, id: `${event.id}_again` };
      if (trouble.random() < 0.5) all.push(again);
      else time.at(time.now + afterMs + trouble.between(0, HOUR), () => void this.#try([again], 0));
    }
    // Some have been told before, some are of other payments.
    if (trouble.strikes('several events come in one delivery', 0.2)) all.unshift(...this.#recent);
    this.#recent = [...this.#recent.slice(-4), event];
    const copies = trouble.strikes('a webhook comes twice', 0.2) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const waits = copy === 0 || trouble.random() < 0.5 ? afterMs : afterMs + trouble.between(0, 60_000);
      time.at(time.now + waits, () => void this.#try(all, 0));
    }
  }

  /** As the server does once it has answered; it may die before, or meanwhile. */
  #follow(): void {
    const { time, deps, trouble } = this.#market;
    if (trouble.strikes('a server dies between answer and follow-up', 0.05)) return;
    const faulty = () => trouble.count('follow-up failed');
    void time.start(async () => void (await followUpEvents({ ...deps, receiveMethodEvent })), faulty);
  }

  /** As a gateway does: again, less and less often, until the answer is yes. */
  async #try(events: readonly GatewayEvent[], tries: number): Promise<void> {
    const { time, deps, accountId, trouble, violations } = this.#market;
    if (tries > MOST_TRIES) {
      violations.push(
        `events are never taken: ${events.map(({ id, remote }) => `${id} of ${remote}`).join()}`,
      );
      return;
    }
    let isTaken = false;
    const taking = time.start(
      async () => {
        const account = await deps.accounts.byId(accountId);
        if (account === undefined) throw new Error('there is no account');
        const due = await receiveEvents(deps, [{ account, trust: 'signed', events }]);
        isTaken = true;
        if (due.size > 0) this.#follow();
      },
      () => trouble.count('webhook refused'),
    );
    await Promise.race([taking, time.sleep(30_000)]);
    if (isTaken) return trouble.count('webhook taken');
    time.at(time.now + Math.min(10_000 * (tries + 1), HOUR), () => void this.#try(events, tries + 1));
  }
}
