import { PAGE_SIZE, pathOf } from './pages/cases.ts';
import { look, p50, p99, sit } from './pages/measure.ts';
import type { Place } from './pages/places.ts';
import type { PageStage } from './pages/run.ts';
import { grouped, ms, print, say } from './report.ts';

const PAGES = 30;
/** Fractions of the golden section fall everywhere, and never twice on one place. */
export const GOLDEN = 0.618_034;

/**
 * Deep pages that nobody has asked for before, each once: nothing of their records is remembered, only what the list
 * as a whole is found by. In turn with the best hand-written statement of the list's 1,000th page, which is told where
 * to begin; a page anywhere else would cost it the same.
 */
export async function runUnread({ data, places, product, bare }: PageStage): Promise<void> {
  const ours = await sit(product.port, await product.signIn());
  const best = await sit(bare.port);
  try {
    for (const [n, place] of places.entries()) {
      if (place.where !== '1,000th') continue;
      // Opens the list, as everybody does who comes to a page of it.
      await look(ours, pathOf(place.case, place.page));
      const own: number[] = [];
      const theirs: number[] = [];
      for (const page of pagesOf(place)) {
        own.push((await look(ours, pathOf(place.case, page))).ms);
        theirs.push((await look(best, `/${n}`)).ms);
      }
      const { name, limit } = place.case;
      const [value, other] = [p50(own), p50(theirs)];
      print({
        figure: `${grouped(data.records)} records: ${name}, ${PAGES} pages never read before, p50, limit: ${limit} times the best SQL`,
        value,
        unit: 'ms',
        limit: limit * other,
        isMost: true,
      });
      say(`${name}: ${ms(value)} ms, p99 ${ms(p99(own))}, best ${ms(other)}, ratio ${ms(value / other)}`);
    }
  } finally {
    ours.connection.close();
    best.connection.close();
  }
}

function pagesOf({ expected }: Place): readonly number[] {
  const pages = Math.floor(expected.totalCount / PAGE_SIZE);
  const margin = Math.floor(pages / 20);
  return Array.from({ length: PAGES }, (_, n) => {
    const share = (n + 1) * GOLDEN;
    return margin + Math.floor((share - Math.floor(share)) * (pages - 2 * margin));
  });
}
