import { type LighthouseCategory, runLighthouse } from '../../tools/lighthouse.ts';
import { expect, test } from '../support/test.ts';

const categories: readonly LighthouseCategory[] = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Far from what the pages reach (bench/lighthouse.ts): other tests run on the same processor, and blocked time counts. */
const LEAST_PERFORMANCE = 60;
const MOST_PAINT_MS = 2_500;

test('Lighthouse finds nothing to mend in sign-in and pay page', async ({ stack }) => {
  test.slow();
  const payable = stack.world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null);
  const pages = [{ url: `${stack.url}/login` }, { url: payable?.payLink ?? '', isPrivate: true }];
  for (const { scores, faults, layoutShift, largestPaintMs } of await runLighthouse(pages, categories)) {
    const { performance, ...others } = scores;
    expect(others, faults.join('\n')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 });
    expect(performance).toBeGreaterThanOrEqual(LEAST_PERFORMANCE);
    expect(largestPaintMs).toBeLessThan(MOST_PAINT_MS);
    expect(layoutShift).toBe(0);
  }
});
