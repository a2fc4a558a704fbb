import { it } from 'vitest';
import { watchStatements } from '../../test/access-matrix/mutants.ts';
import { usePayFixture } from '../../test/fixtures/paying/pay-fixture.ts';
const fixture = usePayFixture();
it('x', async () => {
  for (let n = 0; n < 3; n += 1) {
    const invoice = await fixture.seedBill?.();
  }
});
