import { type LighthouseCategory, runLighthouse } from '../tools/lighthouse.ts';
import { expect, test } from './support/test.ts';

const categories: readonly LighthouseCategory[] = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Far below what the pages reach (bench/lighthouse.ts): other tests run on the same processor. */
const LEAST_PERFORMANCE = 80;

test('Lighthouse finds nothing to mend in sign-in and pay page', async ({ stack }) => {
  test.slow();
  const payable = stack.world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null);
  const pages = [`${stack.url}/login`, payable?.payLink ?? ''];
  for (const { scores, faults, layoutShift } of await runLighthouse(pages, categories)) {
    const { performance, ...others } = scores;
    expect(others, faults.join('\n')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 });
    expect(performance).toBeGreaterThanOrEqual(LEAST_PERFORMANCE);
    expect(layoutShift).toBe(0);
  }
});
