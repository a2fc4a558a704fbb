import pg from 'pg';
import type { UsagePage } from '../../../packages/contract/src/usage.ts';
import type { UsageData } from '../data/open.ts';
import { bestPage, type KeyRow } from './best-sql.ts';
import { PAGE_SIZE, type PageCase } from './cases.ts';
import type { Scope } from './conditions.ts';
import { PlainAnswers } from './kept-rows.ts';
import { plainCount, plainPage } from './plain-sql.ts';
import { present } from './present.ts';

/** A page of a case, and what it must show. */
export interface Place {
  readonly case: PageCase;
  /** first, 1,000th, middle or last */
  readonly where: string;
  /** 1 is the first. */
  readonly page: number;
  readonly expected: UsagePage;
  /** The best hand-written statements for it. */
  readonly best: string;
  /** OFFSET and count, once, milliseconds. */
  readonly plainMs: number;
}

const DEEP = 1_000;

/**
 * The pages of a case that are looked at: the deep one is the middle where there are no 1,000.
 * @param hasMore with the last but one, which is a full page
 */
function pagesOf(total: number, hasMore: boolean): { readonly where: string; readonly page: number }[] {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const deep = last > DEEP ? DEEP : Math.ceil(last / 2);
  return [
    { where: 'first', page: 1 },
    { where: deep === DEEP ? '1,000th' : 'middle', page: deep },
    ...(hasMore ? [{ where: 'last but one', page: last - 1 }] : []),
    { where: 'last', page: last },
  ].filter(({ page }, n, all) => page > 0 && all.findIndex((other) => other.page === page) === n);
}

/** Finds the pages of all cases by plain statements. For the first time seconds for each page of a large customer. */
export async function findPlaces(
  { url, dataDir }: Pick<UsageData, 'url' | 'dataDir'>,
  cases: readonly PageCase[],
  scope: Scope,
  say: (line: string) => void,
  hasMore = false,
): Promise<Place[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set work_mem = '256MB'`);
    const answers = await PlainAnswers.open(client, dataDir);
    const places: Place[] = [];
    for (const page of cases) {
      places.push(...(await placesOf(answers, page, scope, hasMore)));
      say(`found by plain statements: ${page.name}`);
    }
    say(`${places.length} pages of ${cases.length} lists found by plain statements`);
    return places;
  } finally {
    await client.end();
  }
}

async function placesOf(
  answers: PlainAnswers,
  page: PageCase,
  scope: Scope,
  hasMore: boolean,
): Promise<Place[]> {
  const count = await answers.ask<{ n: number }>(plainCount(page, scope));
  const total = count.rows[0]?.n ?? 0;
  const places: Place[] = [];
  for (const { where, page: number } of pagesOf(total, hasMore)) {
    const { rows, ms } = await answers.ask<KeyRow>(plainPage(page, scope, (number - 1) * PAGE_SIZE));
    places.push({
      case: page,
      where,
      page: number,
      plainMs: ms + count.ms,
      expected: present(rows, total),
      best: bestPage(page, scope, rows, total),
    });
  }
  return places;
}
