/** Challenges that wait for the cardholder: opened with a payment or a setup, answered on a page. */
import type { SandboxHost } from '../gateway-sandbox.ts';
import { newId } from '../ids.ts';
import type { Collection } from '../store.ts';
import type { Turn } from '../turn.ts';

export interface Challenge {
  readonly id: string;
  readonly account: string;
  /** What waits for it; an older challenge of the same subject changes nothing. */
  readonly subject: string;
}

const challengesOf = (host: SandboxHost, gateway: string): Collection<Challenge> =>
  host.store.collection<Challenge>(`${gateway}/challenge`);

/** @returns the id of the new challenge, which its page's address ends with */
export function openChallenge(turn: Turn, gateway: string, account: string, subject: string): string {
  const id = newId('tds');
  turn.tx.put(challengesOf(turn.host, gateway), id, { id, account, subject });
  return id;
}

export function findChallenge(host: SandboxHost, gateway: string, id: string): Challenge | undefined {
  return challengesOf(host, gateway).get(id);
}
