import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { FOREIGN_MARKER, type Stage, setStage } from '../../test/bad-input/stage.ts';
import { useWorld } from '../../test/test-world.ts';
import type { Operation, Parameter } from './openapi-document.ts';

const UNKNOWN = '019364b2-7a00-7000-8000-00000000f00d';
const world = useWorld();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(world);
});

const parametersOf = (operation: Operation): Parameter[] =>
  (operation.parameters ?? []).filter(
    ({ in: place, schema }) => place !== 'header' && schema?.format === 'uuid',
  );

/** The call with one of its ids replaced, everything else as it should be. */
function withId(operation: Operation, replaced: Parameter, id: string): InjectOptions {
  const good = stage.good.get(operation);
  const path = { ...good?.path, ...(replaced.in === 'path' ? { [replaced.name]: id } : {}) };
  const query = { ...good?.query, ...(replaced.in === 'query' ? { [replaced.name]: id } : {}) };
  return {
    method: operation.method as 'GET',
    url: operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? ''),
    query,
    headers: { authorization: `Bearer ${stage.callers.own()}` },
  };
}

describe('an id of somebody else', () => {
  it('is answered by every call like one that does not exist: 404, in the same words', async () => {
    let tried = 0;
    for (const operation of stage.operations.filter(({ access }) => access !== 'public')) {
      for (const parameter of parametersOf(operation)) {
        const unknown = await world.app.inject(withId(operation, parameter, UNKNOWN));
        expect(unknown.statusCode, operation.path).toBe(404);
        for (const id of stage.callers.foreignIds) {
          const foreign = await world.app.inject(withId(operation, parameter, id));
          const { requestId: _one, ...words } = foreign.json();
          const { requestId: _other, ...expected } = unknown.json();
          expect(words, operation.path).toEqual(expected);
          expect(foreign.body).not.toContain(FOREIGN_MARKER);
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThanOrEqual(16);
  });

  it('as X-Customer-Id is refused by every call for a customer', async () => {
    const calls = stage.operations.filter(({ access }) => access === 'customer');
    expect(calls.length).toBeGreaterThan(4);
    for (const operation of calls) {
      const good = stage.good.get(operation);
      const url = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => good?.path[name] ?? '');
      for (const id of [stage.callers.foreignCustomerId, UNKNOWN]) {
        const headers = { authorization: `Bearer ${stage.callers.own()}`, 'x-customer-id': id };
        const answer = await world.app.inject({ url, query: { ...good?.query }, headers });
        expect([answer.statusCode, answer.json().code], url).toEqual([403, 'customer.notYours']);
      }
    }
  });

  it('of another reseller’s brand is answered like an unknown one', async () => {
    const other = await world.seedPayer();
    const headers = { authorization: `Bearer ${stage.callers.own()}` };
    for (const id of [other.reseller.brandId, 2_000_000_000]) {
      const answer = await world.app.inject({ url: `/v1/brands-settings/${id}`, headers });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'brand.notFound']);
    }
  });
});
