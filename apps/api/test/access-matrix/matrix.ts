import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Operation } from '../../src/http/answers/openapi-document.ts';
import type { Access } from '../../src/http/guards/access.ts';
import { routeLimits } from '../../src/limits/limits.ts';
import { FOREIGN_MARKER } from '../bad-input/stage.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';
import { PROVES } from '../simulation/seeded.ts';
import { isFilter, kindOf, nameOf, type Slot, slotsOf } from './ids.ts';
import { grants, publicOperations } from './public-operations.ts';
import { FOREIGN, goodValueIn, type MatrixStage, requestOf } from './stage.ts';
import { type PlacesOfIds, UUID } from './tenants.ts';

/** What one part of the matrix fired, and each answer that is not what it should be. */
export interface Part {
  readonly fired: number;
  readonly refused: number;
  readonly faults: readonly string[];
}

interface Answer {
  readonly statusCode: number;
  readonly body: string;
}

class Count {
  fired = 0;
  refused = 0;
  readonly faults: string[] = [];
}

/** What refusals may leave behind: counts of tries, and the trail that says that somebody tried. */
const TRACES: readonly string[] = ['rate_limit', 'audit_event'];
/** How often one may ask is another matter: counts are forgotten before the narrowest limit, that of what takes a password. */
const FEWEST_TRIES = routeLimits.passwordChange.user.tries;

/** What no session of a user opens, whoever's it is. */
const NOT_FOR_USERS: Readonly<Partial<Record<Access, readonly [status: number, code: string]>>> = {
  program: [401, 'apiKey.refused'],
  operator: [401, 'operator.signInNeeded'],
};

/** Everybody without business here, at every call that takes a session. */
export async function fireActors(fixture: TestFixture, stage: MatrixStage): Promise<Part> {
  const count = new Count();
  const seeChanges = await watch(stage);
  for (const operation of stage.operations) {
    if (operation.access === 'public') continue;
    for (const actor of stage.actors) {
      if (actor.customerOnly === true && operation.access !== 'customer') continue;
      const answer = await fixture.app.inject(requestOf(operation, stage.good.get(operation), actor.headers));
      count.fired += 1;
      const name = `${nameOf(operation)} as ${actor.name}`;
      const got = [answer.statusCode, codeOf(answer)];
      const wanted = NOT_FOR_USERS[operation.access] ?? actor.refusal;
      if (got.join() === wanted.join()) count.refused += 1;
      else count.faults.push(`${name}: ${got.join(' ')} instead of ${wanted.join(' ')}`);
      if (answer.body.includes(FOREIGN_MARKER)) count.faults.push(`${name}: shows somebody else's data`);
    }
    count.faults.push(...(await seeChanges(nameOf(operation))));
  }
  return count;
}

/** Ids of others in every place that takes one: answered exactly like an id that does not exist. */
export async function fireForeignIds(
  fixture: TestFixture,
  stage: MatrixStage,
): Promise<Part & { slots: number }> {
  const count = new Count();
  const seeChanges = await watch(stage);
  let slots = 0;
  for (const operation of stage.operations) {
    if (operation.access === 'public') continue;
    const send = (slot: Slot, value: string) =>
      fixture.app.inject(
        requestOf(operation, stage.good.get(operation), stage.caller(operation), [{ ...slot, value }]),
      );
    for (const slot of slotsOf(operation)) {
      slots += 1;
      const unknown = await send(slot, unknownOf(slot));
      const name = `${nameOf(operation)} with '${slot.name}'`;
      if (!isFilter(operation, slot) && unknown.statusCode !== 404)
        count.faults.push(`${name} unknown: answered ${unknown.statusCode}`);
      for (const [whose, ids] of foreignOf(stage, operation, slot)) {
        // To the caller they are what those of its neighbour are: with `npm run prove`.
        if (whose === FOREIGN[3] && !PROVES) continue;
        for (const [at, id] of [...ids].entries()) {
          // How often one may ask is another matter.
          if (at % FEWEST_TRIES === 0) await fixture.database.pool().query('delete from rate_limit');
          const answer = await send(slot, id);
          count.fired += 1;
          if (words(answer) === words(unknown)) count.refused += 1;
          else count.faults.push(`${name} of ${whose}: ${answer.statusCode} ${codeOf(answer)}`);
        }
      }
    }
    count.faults.push(...(await seeChanges(nameOf(operation))));
  }
  return Object.assign(count, { slots });
}

/** The caller's own ids in the same places: answered otherwise than unknown ones, or the trial above shows nothing. */
export async function fireOwnIds(fixture: TestFixture, stage: MatrixStage): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const operation of stage.operations.filter(({ access }) => access !== 'public')) {
    for (const slot of slotsOf(operation)) {
      const good = stage.good.get(operation);
      const unknown = requestOf(operation, good, stage.caller(operation), [
        { ...slot, value: unknownOf(slot) },
      ]);
      const none = await fixture.app.inject(unknown);
      const own = await fixture.app.inject(requestOf(operation, good, stage.caller(operation)));
      if (words(own) === words(none) || codeOf(own) === 'request.invalid')
        faults.push(
          `${nameOf(operation)}: the caller's own '${slot.name}' is answered ${own.statusCode} ${codeOf(own)}, so nothing is shown about others'; give it a good value in apps/api/test/bad-input/stage.ts ('${operation.path} ${slot.name}')`,
        );
    }
  }
  return faults;
}

/** Secrets that are worn out, changed or for something else, at every public call that a secret opens. */
export async function fireSecrets(fixture: TestFixture, stage: MatrixStage): Promise<Part> {
  const count = new Count();
  const seeChanges = await watch(stage);
  let sent = 0;
  for (const operation of stage.operations) {
    const { secrets = {} } = publicOperations[nameOf(operation)] ?? {};
    const place = (name: string) =>
      (operation.parameters ?? []).some((one) => one.in === 'path' && one.name === name) ? 'path' : 'body';
    const good = Object.entries(secrets).map(([name, kind]) => ({
      ...({ name, place: place(name), value: stage.secrets[kind].own } as const),
    }));
    // Each from an address of its own: what is counted by address is another matter.
    const send = (set: Parameters<typeof requestOf>[3]) => {
      const request = requestOf(operation, stage.good.get(operation), {}, set);
      sent += 1;
      return fixture.app.inject({ ...request, remoteAddress: `198.51.100.${sent % 256}` });
    };
    for (const [name, kind] of Object.entries(secrets)) {
      const others = good.filter((one) => one.name !== name);
      const wrong: Answer[] = [];
      for (const [how, value] of Object.entries(stage.secrets[kind].wrong)) {
        const answer = await send([...others, { name, place: place(name), value }]);
        wrong.push(answer);
        count.fired += 1;
        const said = `${nameOf(operation)} with ${kind} ${how}: ${answer.statusCode} ${codeOf(answer)}`;
        if (answer.statusCode >= 400 && !answer.body.includes(FOREIGN_MARKER)) count.refused += 1;
        else count.faults.push(said);
      }
      count.faults.push(...(await seeChanges(nameOf(operation))));
      // With a pay link alone nothing is paid, but it is told apart from a wrong one.
      const own = await send(good);
      if (wrong.some((answer) => words(answer) === words(own)))
        count.faults.push(
          `${nameOf(operation)}: a good ${kind} is answered like a wrong one: ${own.statusCode} ${codeOf(own)}`,
        );
      await seeChanges('what the good one did');
    }
  }
  return count;
}

/** Every secret of the stage, good and worn, at every grant of `/token`: what opens one thing opens no other. */
export async function fireGrants(fixture: TestFixture, stage: MatrixStage): Promise<Part> {
  const count = new Count();
  const { secrets, caller } = stage;
  const bearer = Object.values(caller({ access: 'session' } as Operation))[0]?.slice('Bearer '.length) ?? '';
  const values = Object.values(secrets).flatMap(({ own, wrong }) => [own, ...Object.values(wrong)]);
  for (const [grant, { proofs, other }] of Object.entries(grants)) {
    for (const value of [...values, bearer, '', '{}']) {
      const proof = Object.fromEntries(proofs.map((name) => [name, value]));
      const form = { grant_type: grant, client_id: 'counterfoil-portal', ...other, ...proof };
      count.fired += 1;
      const { statusCode, body } = await fixture.app.inject({
        ...({ method: 'POST', url: '/token' } as const),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
        remoteAddress: `198.51.100.${count.fired % 256}`,
      });
      if ([400, 401, 429].includes(statusCode) && !body.includes('access_token')) count.refused += 1;
      else count.faults.push(`POST /token, ${grant}: ${statusCode} for ${value.slice(0, 12)}…`);
    }
  }
  return count;
}

/** Support staff in the caller's name, at what changes how the caller gets in, and at what only the caller may do. */
export async function fireSupport(fixture: TestFixture, stage: MatrixStage): Promise<Part> {
  const count = new Count();
  const seeChanges = await watch(stage);
  for (const operation of stage.operations) {
    const isReserved = operation['x-in-person-only'] === true;
    // Keys and operators are no users, so that no session of support opens what is theirs.
    if (['public', 'program', 'operator'].includes(operation.access) || operation.method === 'GET') continue;
    if (!isReserved && WAYS_IN.test(operation.path))
      count.faults.push(
        `${nameOf(operation)}: changes how people get in and is open to support (inPersonOnly)`,
      );
    if (!isReserved) continue;
    const answer = await fixture.app.inject(requestOf(operation, stage.good.get(operation), stage.support));
    count.fired += 1;
    if (codeOf(answer) === 'support.notAllowed' && answer.statusCode === 403) count.refused += 1;
    else count.faults.push(`${nameOf(operation)} as support: ${answer.statusCode} ${codeOf(answer)}`);
    count.faults.push(...(await seeChanges(nameOf(operation))));
  }
  return count;
}

const WAYS_IN = /password|passkey|factor|sessions/;

/** What these list is the caller's own, and this test adds to it: sign-ins, operators, keys and endpoints. */
const WAYS_IN_OF_THIS_TEST: ReadonlySet<string> = new Set([
  'GET /v1/ec/sessions',
  'GET /v1/operator/operators',
  'GET /v1/operator/api-keys',
  'GET /v1/admin/webhook-endpoints',
]);

/**
 * Everything the caller may read without naming an id: no mark and no id of anybody else is in it, and it is what it
 * was when there was nobody else, so nobody else's is counted or added up in it either.
 */
export async function readOwn(fixture: TestFixture, stage: MatrixStage): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const operation of stage.operations) {
    if (operation.access === 'public' || operation.method !== 'GET') continue;
    const good = stage.good.get(operation);
    const { statusCode, body } = await fixture.app.inject(
      requestOf(operation, good, stage.caller(operation)),
    );
    const name = nameOf(operation);
    if (statusCode >= 500) faults.push(`${name}: ${statusCode}`);
    if (showsOthers(stage, operation, body)) faults.push(`${name}: shows somebody else's data`);
    else if (
      !WAYS_IN_OF_THIS_TEST.has(name) &&
      anyRequest(body) !== anyRequest(stage.alone.get(operation) ?? '')
    )
      faults.push(`${name}: is not what it was without anybody else`);
  }
  return faults;
}

/** Everything the caller may do: no row of anybody else changes. */
export async function writeOwn(fixture: TestFixture, stage: MatrixStage): Promise<readonly string[]> {
  const faults: string[] = [];
  let before = await stage.printOthers();
  for (const operation of stage.operations) {
    if (operation.access === 'public' || operation.method === 'GET') continue;
    const good = stage.good.get(operation);
    const { statusCode } = await fixture.app.inject(requestOf(operation, good, stage.caller(operation)));
    const after = await stage.printOthers();
    const changed = Object.keys(after).filter((table) => before[table] !== after[table]);
    if (statusCode >= 500) faults.push(`${nameOf(operation)}: ${statusCode}`);
    if (changed.length > 0)
      faults.push(`${nameOf(operation)}: changes somebody else's ${changed.join(', ')}`);
    before = after;
    await stage.again();
  }
  return faults;
}

/** A second customer of the caller's is somebody else's data, but a call for the person may name it. */
function showsOthers(stage: MatrixStage, operation: Operation, body: string): boolean {
  if (body.includes(FOREIGN_MARKER)) return true;
  const foreign = foreignTo(stage, operation).filter(
    ([whose]) => operation.access === 'customer' || whose !== FOREIGN[0],
  );
  return [...body.matchAll(UUID)].some(([id]) => foreign.some(([, ids]) => ids.has(id)));
}

/**
 * What is tried of others in a slot: with `npm run prove` every id of theirs; else those that stand in a column in which
 * the caller's own good value stands too, so ids of the kind that the slot takes.
 */
function foreignOf(stage: MatrixStage, operation: Operation, slot: Slot): [string, Iterable<string>][] {
  if (kindOf(operation, slot) === 'brand') return [['another reseller', [String(stage.foreignBrandId)]]];
  const good = goodValueIn(stage.good.get(operation), slot);
  const columns = typeof good === 'string' && !PROVES ? stage.ownIds.get(good) : undefined;
  return foreignTo(stage, operation).map(([whose, ids]) => {
    const ofKind = [...ids].filter(([, places]) => columns === undefined || !columns.isDisjointFrom(places));
    return [whose, ofKind.length === 0 ? ids.keys() : ofKind.map(([id]) => id)];
  });
}

const PROVIDERS: readonly Access[] = ['program', 'operator'];

/** A provider's programs and operators act for all of its customers: foreign to them are those of another reseller. */
function foreignTo(stage: MatrixStage, { access }: Operation): [string, PlacesOfIds][] {
  const [second, sameReseller] = FOREIGN;
  return [...stage.foreignIds].filter(
    ([whose]) => !PROVIDERS.includes(access) || (whose !== second && whose !== sameReseller),
  );
}

/** An id of the right form that nothing has. */
const unknownOf = (slot: Slot): string => (slot.isUuid ? newId() : '2000000000');

const words = ({ statusCode, body }: Answer): string => `${statusCode} ${anyRequest(body)}`;

/** A body as it would be in answer to any other request of the same. */
const anyRequest = (body: string): string => body.replaceAll(/"requestId":"[^"]*"/g, '');

function codeOf({ body }: Answer): string {
  return /"code":"([\w.]+)"/.exec(body)?.[1] ?? '';
}

/** @returns tells what has changed in the database since it was asked last */
async function watch(stage: MatrixStage): Promise<(name: string) => Promise<string[]>> {
  let before = await stage.print();
  return async (name) => {
    const after = await stage.print();
    const changed = Object.keys(after).filter((table) => before[table] !== after[table]);
    before = after;
    return changed
      .filter((table) => !TRACES.includes(table))
      .map((table) => `${name}: was refused and changed ${table}`);
  };
}
