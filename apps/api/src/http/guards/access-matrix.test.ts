import { beforeAll, describe, expect, it } from 'vitest';
import { nameOf, slotsOf } from '../../../test/access-matrix/ids.ts';
import {
  fireActors,
  fireForeignIds,
  fireGrants,
  fireOwnIds,
  fireSecrets,
  fireSupport,
  readOwn,
  writeOwn,
} from '../../../test/access-matrix/matrix.ts';
import { grants, hiddenRoutes, publicOperations } from '../../../test/access-matrix/public-operations.ts';
import { routesOf } from '../../../test/access-matrix/routes-of.ts';
import { FOREIGN, type MatrixStage, setMatrixStage } from '../../../test/access-matrix/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

/** Thousands of requests; none of them is slow. */
const TRIAL_TIMEOUT_MS = 300_000;
const SAY_WHY = 'say why in apps/api/test/access-matrix/public-operations.ts';

/** Without what the database itself keeps back: that no query forgets whose rows it wants is to be seen. */
const fixture = useFixture({ env: () => ({ DATABASE_ROW_SECURITY: 'off' }) });
let stage: MatrixStage;
let [fired, refused] = [0, 0];
beforeAll(async () => {
  stage = await setMatrixStage(fixture);
});
const guarded = () => stage.operations.filter(({ access }) => access !== 'public');

describe('every call of the document', () => {
  it('without a session is listed with its reason, and so is every address outside the document', () => {
    const open = stage.operations.filter(({ access }) => access === 'public').map(nameOf);
    expect(new Set(open), SAY_WHY).toEqual(new Set(Object.keys(publicOperations)));
    const described = new Set(stage.operations.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')));
    const hidden = routesOf(fixture.app).filter(({ path }) => !described.has(path) && path !== '*');
    expect(hidden.length).toBeGreaterThan(8);
    expect(
      hidden.map(({ path }) => path).filter((path) => !(path in hiddenRoutes)),
      SAY_WHY,
    ).toEqual([]);
  });

  it('names what it takes ids of', () => {
    expect(guarded().length).toBeGreaterThan(10);
    expect(guarded().flatMap(slotsOf).length).toBeGreaterThan(5);
  });

  it(
    'refuses whoever has no business there, and changes nothing [decisions.8.scope]',
    async () => {
      const part = await fireActors(fixture, stage);
      expect(part.faults).toEqual([]);
      fired += part.fired;
      refused += part.refused;
    },
    TRIAL_TIMEOUT_MS,
  );

  it(
    'answers an id of somebody else like one that does not exist, and changes nothing [decisions.8.scope, decisions.8.scope-reseller, decisions.8.foreign-id-404]',
    async () => {
      for (const whose of FOREIGN) expect(stage.foreignIds.get(whose)?.size, whose).toBeGreaterThan(8);
      const part = await fireForeignIds(fixture, stage);
      expect(part.faults).toEqual([]);
      fired += part.fired;
      refused += part.refused;
    },
    TRIAL_TIMEOUT_MS,
  );

  it('shows the caller nothing of anybody else [decisions.8.scope]', async () => {
    expect(await readOwn(fixture, stage)).toEqual([]);
  });

  it(
    'that a secret opens refuses a worn, changed or foreign one, and changes nothing',
    async () => {
      const part = await fireSecrets(fixture, stage);
      expect(part.faults).toEqual([]);
      fired += part.fired;
      refused += part.refused;
    },
    TRIAL_TIMEOUT_MS,
  );

  it('of /token that is shown a secret for something else gives no session', async () => {
    const { description } = stage.operations.find(({ path }) => path === '/token') ?? {};
    expect(new Set(description?.split('Grants: ')[1]?.split(', ')), SAY_WHY).toEqual(
      new Set(Object.keys(grants)),
    );
    const part = await fireGrants(fixture, stage);
    expect(part.faults).toEqual([]);
    fired += part.fired;
    refused += part.refused;
  });

  it('that changes how a person gets in is closed to support in their name', async () => {
    const part = await fireSupport(fixture, stage);
    expect(part.faults).toEqual([]);
    expect(part.fired).toBeGreaterThan(5);
    fired += part.fired;
    refused += part.refused;
  });

  it('answers the caller’s own ids otherwise than unknown ones, so the refusals are about whose they are', async () => {
    expect(await fireOwnIds(fixture, stage)).toEqual([]);
  });

  it(
    'that writes for the caller leaves the rows of everybody else alone',
    async () => {
      expect(await writeOwn(fixture, stage)).toEqual([]);
    },
    TRIAL_TIMEOUT_MS,
  );

  it('was tried: every refusal counted', () => {
    const slots = guarded().flatMap(slotsOf).length;
    process.stdout.write(
      `${guarded().length} calls × ${stage.actors.length} actors, ${slots} ids × ${FOREIGN.length} kinds of others; ${fired} requests, ${refused} refused\n`,
    );
    expect(refused).toBe(fired);
    expect(fired).toBeGreaterThan(guarded().length * 18);
  });
});
