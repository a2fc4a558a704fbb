import { expect, it } from 'vitest';
import { fireForeignIds, readOwn, writeOwn } from '../../../test/access-matrix/matrix.ts';
import { withoutScopes } from '../../../test/access-matrix/mutants.ts';
import { setMatrixStage } from '../../../test/access-matrix/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { readRowSecurity } from '../../db/row-security/set-up.ts';

const TRIAL_TIMEOUT_MS = 300_000;

const fixture = useFixture();

it(
  'queries of customers’ calls that forget whose rows they want still get, and change, nothing of anybody else’s',
  async ({ skip }) => {
    const security = await readRowSecurity(fixture.deps.databases.web);
    if (security.is === 'off') skip(security.why);
    const whole = await setMatrixStage(fixture);
    const stage = { ...whole, operations: whole.operations.filter(({ access }) => access === 'customer') };
    const faults: string[] = [];
    const changed = await withoutScopes(fixture, async () => {
      faults.push(...(await readOwn(fixture, stage)));
      faults.push(...(await fireForeignIds(fixture, stage)).faults);
      faults.push(...(await writeOwn(fixture, stage)));
    });
    expect(faults).toEqual([]);
    expect(stage.operations.length).toBeGreaterThan(50);
    expect(changed).toBeGreaterThan(80);
  },
  TRIAL_TIMEOUT_MS,
);
