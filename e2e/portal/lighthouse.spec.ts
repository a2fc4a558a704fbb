import { type LighthouseCategory, runLighthouse } from '../../tools/lighthouse.ts';
import { expect, test } from '../support/test.ts';

/** Those of performance say whether anything moves; how fast it is, bench/lighthouse.ts says. */
const categories: readonly LighthouseCategory[] = ['performance', 'accessibility', 'best-practices', 'seo'];

test('Lighthouse finds nothing to mend in sign-in and pay page', async ({ stack }) => {
  test.slow();
  const payable = stack.world.invoices.find(({ state, payLink }) => state === 'open' && payLink !== null);
  const pages = [{ url: `${stack.url}/login` }, { url: payable?.payLink ?? '', isPrivate: true }];
  for (const { scores, faults, layoutShift } of await runLighthouse(pages, categories)) {
    const { performance: _, ...others } = scores;
    expect(others, faults.join('\n')).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 });
    expect(layoutShift).toBe(0);
  }
});
