import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { expect, it } from 'vitest';
import { signInAt } from '../../access-matrix/tenants.ts';
import { fixture, rows } from '../../fixtures/paying/pay-fixture.ts';
import { signedIn } from '../../fixtures/signed-in.ts';

const PEOPLE = 8;

/** How many transactions the machines have ended because two waited for each other. */
const deadlocks = async (): Promise<number> => {
  const found = await rows<{ n: string }>(
    `select result as n from run_command_on_all_nodes(
       'select deadlocks from pg_stat_database where datname = current_database()')`,
    [],
  );
  return found.reduce((sum, { n }) => sum + Number(n), 0);
};

it.skipIf(clusterUrl() === undefined)(
  'people who sign in at once wait for each other, and none is ended',
  async () => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => signedIn(fixture)));
    const before = await deadlocks();
    for (let round = 0; round < 5; round += 1)
      await Promise.all(people.map(({ user }) => signInAt(fixture, user.id, `round ${round}`)));
    // A machine counts them some time later.
    await rows('select pg_sleep(2)', []);
    expect(await deadlocks()).toBe(before);
  },
);
