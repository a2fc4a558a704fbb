import { runLighthouse } from '../tools/lighthouse.ts';
import { expect, test } from './support/test.ts';

test('Lighthouse finds nothing to say about the accessibility of sign-in and pay page', async ({
  stack,
  providers,
}) => {
  test.slow();
  const provider = await providers.add({ settings: ['supportEmail=help@e2e.example'] });
  const bill = await provider.bill('12.34');
  const pages = [`${provider.url}/login`, `${provider.url}${bill.payPath}`, `${stack.url}/login`];
  for (const { scores, faults } of await runLighthouse(pages, ['accessibility'])) {
    expect(faults).toEqual([]);
    expect(scores.accessibility).toBe(100);
  }
});
