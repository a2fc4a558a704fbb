import { describe, expect, it } from 'vitest';
import { useFixture } from '../fixtures/test-fixture.ts';
import { attack, countTable, hasWritten, refusedNothing } from './attack.ts';
import { allTables, fingerprint, MONEY, owners, SESSIONS } from './fingerprint.ts';
import { asMeant, setStage } from './stage.ts';

const TRIAL_TIMEOUT_MS = 1_200_000;

/**
 * Tests that fire bad input at every call of the OpenAPI document, signed in and not.
 * @param defaults how many, and the seed; `BAD_INPUTS` and `BAD_INPUT_SEED` override them
 */
export function badInputTrial(defaults: { readonly count: number; readonly seed: number }): void {
  const fixture = useFixture();
  const count = Number(process.env['BAD_INPUTS'] ?? defaults.count);
  const seed = Number(process.env['BAD_INPUT_SEED'] ?? defaults.seed);

  describe('bad input, generated from the OpenAPI document', () => {
    it(
      'spoils requests that would be taken: no call of the document is left out',
      async () => {
        const stage = await setStage(fixture);
        expect(stage.operations.length).toBeGreaterThan(10);
        for (const [operation, good] of stage.good) {
          const answer = await fixture.app.inject(asMeant(stage, operation, good));
          if (answer.statusCode === 204) await stage.renewSession();
          const name = `${operation.method} ${operation.path}: ${answer.body.slice(0, 300)}`;
          expect(answer.statusCode, name).toBeLessThan(500);
          expect(answer.body, name).not.toMatch(
            /"(request\.\w+|session\.(missing|ended)|customer\.\w+)"|invalid_request/,
          );
        }
      },
      TRIAL_TIMEOUT_MS,
    );

    it(
      'is refused clearly: no fault, no hang, no insides, no data of others, nothing changed',
      async () => {
        const stage = await setStage(fixture);
        const lasting = (await allTables(fixture)).filter(
          (name) => !SESSIONS.some((other) => other === name),
        );
        // By chance one request makes a customer, and another gives that one an opening balance: both may.
        const known = await owners(fixture);
        const money = () => fingerprint(fixture, MONEY, known);
        const before = { all: await fingerprint(fixture, lasting), money: await money() };
        const started = performance.now();
        const { calls, faults } = await attack(fixture, stage, { count, seed });
        process.stdout.write(`${countTable(calls, performance.now() - started)}\n`);
        expect(faults.slice(0, 20)).toEqual([]);
        expect(await money()).toEqual(before.money);
        if (!hasWritten(calls)) expect(await fingerprint(fixture, lasting)).toEqual(before.all);
        expect(calls.map((call) => call.operation)).toEqual([...stage.operations]);
        expect(calls.filter((call) => call.signedIn === 0 || call.notSignedIn === 0)).toEqual([]);
        expect(refusedNothing(calls)).toEqual([]);
      },
      TRIAL_TIMEOUT_MS,
    );
  });
}
