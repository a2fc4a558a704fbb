import { expect, it } from 'vitest';
import { faultsWith, mutantsOf, nameOfMutant } from '../../test/access-matrix/mutants.ts';
import { useWorld } from '../../test/test-world.ts';

const world = useWorld();

it('every owner check is missed when it is taken out of its statement', async () => {
  const mutants = await mutantsOf(world);
  expect(mutants.length).toBeGreaterThan(20);
  const survivors: string[] = [];
  for (const mutant of mutants) {
    const faults = await faultsWith(world, mutant);
    process.stdout.write(
      `${faults.length === 0 ? 'survives' : `red, ${faults.length} faults`}: ${nameOfMutant(mutant)}\n`,
    );
    if (faults.length === 0) survivors.push(nameOfMutant(mutant));
  }
  process.stdout.write(
    `${mutants.length} owner checks taken out, ${mutants.length - survivors.length} missed\n`,
  );
  expect(survivors).toEqual([]);
});
