import { isDeepStrictEqual } from 'node:util';
import type { UsagePage } from '../../../packages/contract/src/usage.ts';
import { Connection } from '../../signin/connection.ts';
import { median, quantile } from '../../support/figure.ts';
import { pathOf } from './cases.ts';
import type { Place } from './places.ts';

const WARM = 4;
const ROUNDS = 40;
/** A page that takes seconds is looked at less often. */
const MOST_MS = 4_000;

/** Times of one page, milliseconds. */
export interface Measured {
  readonly place: Place;
  readonly ours: readonly number[];
  readonly best: readonly number[];
  /** The same page with fewer records; empty where there is none. */
  readonly small: readonly number[];
}

/** Where pages are asked for: a connection, and the token of who asks. */
export interface Seat {
  readonly connection: Connection;
  readonly token?: string;
}

export async function sit(port: number, token?: string): Promise<Seat> {
  const connection = await Connection.open(port);
  return token === undefined ? { connection } : { connection, token };
}

/** @returns the answer's body and how long it took. @throws {Error} when it is no page */
export async function look({ connection, token }: Seat, path: string): Promise<{ body: string; ms: number }> {
  const { status, body, ms } = await connection.send({
    method: 'GET',
    path,
    ...(token === undefined ? {} : { token }),
  });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body.slice(0, 300)}`);
  return { body, ms };
}

/**
 * Looks at each page in turn at both servers, and at that of fewer records: all meet the same moments. It is always the
 * same page, so what a server remembers of it counts; pages that were never read are another run (`unread.ts`).
 * @param bare where `GET /<n>` is the n-th place
 * @param small the same page with fewer records, by number of place
 * @param wrong told about answers that are not those of the plain statement
 */
export async function* measurePages(
  places: readonly Place[],
  seats: { readonly ours: Seat; readonly bare: Seat; readonly small?: Seat },
  small: ReadonlyMap<number, Place>,
  wrong: (line: string) => void,
): AsyncGenerator<Measured> {
  for (const [n, place] of places.entries()) {
    const ways: {
      readonly seat: Seat;
      readonly path: string;
      readonly expected: UsagePage;
      readonly times: number[];
    }[] = [
      { seat: seats.ours, path: pathOf(place.case, place.page), expected: place.expected, times: [] },
      { seat: seats.bare, path: `/${n}`, expected: place.expected, times: [] },
    ];
    const other = small.get(n);
    if (seats.small !== undefined && other !== undefined) {
      ways.push({
        seat: seats.small,
        path: pathOf(other.case, other.page),
        expected: other.expected,
        times: [],
      });
    }
    for (const { seat, path, expected } of ways) {
      const fault = difference(
        (JSON.parse((await look(seat, path)).body) as { data: UsagePage }).data,
        expected,
      );
      if (fault !== undefined) wrong(`${place.case.name}, ${place.where}, ${path.slice(0, 12)}: ${fault}`);
    }
    const begun = performance.now();
    for (let round = -WARM; round < ROUNDS; round += 1) {
      // Warming ends early as well, but one round is always measured.
      if (performance.now() - begun > MOST_MS) {
        if (round > 0) break;
        round = Math.max(round, 0);
      }
      for (const { seat, path, times } of round % 2 === 0 ? ways : ways.toReversed()) {
        const { ms } = await look(seat, path);
        if (round >= 0) times.push(ms);
      }
    }
    const [ours, best, less] = ways.map(({ times }) => times);
    yield { place, ours: ours ?? [], best: best ?? [], small: less ?? [] };
  }
}

/** What is not as it should be; undefined: nothing. */
export function difference(page: UsagePage, expected: UsagePage): string | undefined {
  if (page.totalCount !== expected.totalCount) {
    return `total ${page.totalCount}, not ${expected.totalCount}`;
  }
  const ids = page.endUsageDetails.map(({ id }) => id);
  const wanted = expected.endUsageDetails.map(({ id }) => id);
  if (!isDeepStrictEqual(ids, wanted)) {
    const missing = wanted.filter((id) => !ids.includes(id)).length;
    return `${ids.length} rows, ${missing} of ${wanted.length} are others${missing === 0 ? ', only their order differs' : ''}`;
  }
  const at = page.endUsageDetails.findIndex((row, n) => !isDeepStrictEqual(row, expected.endUsageDetails[n]));
  return at < 0
    ? undefined
    : `row ${at}: ${JSON.stringify(page.endUsageDetails[at])}, not ${JSON.stringify(expected.endUsageDetails[at])}`;
}

export const p50 = (times: readonly number[]): number => median(times);
export const p99 = (times: readonly number[]): number => quantile(times, 0.99);
