import { problem } from '@counterfoil/contract/envelope.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { asMeant, type Stage, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import type { Operation, Schema } from './openapi-document.ts';

const fixture = useFixture();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(fixture);
});

const jsonAnswer = ({ responses }: Operation) => responses?.['200']?.content?.['application/json']?.schema;
const isOauth = ({ path }: Operation): boolean => path === '/token' || path.startsWith('/token/');
/** A call without what may be left out of its address. */
const send = (method: string, path: string) => {
  const [operation, good] = [...stage.good].find(([one]) => one.method === method && one.path === path) ?? [];
  if (operation === undefined || good === undefined) throw new Error(`there is no call ${method} ${path}`);
  return fixture.app.inject(asMeant(stage, operation, { ...good, query: {} }));
};

/** Every member of a schema with the types it may have. */
function typesOf(schema: Schema, name: string): [string, readonly string[]][] {
  const { type, properties = {}, items, anyOf = [] } = schema;
  return [
    [name, [type ?? []].flat()],
    ...anyOf.flatMap((one) => typesOf(one, name)),
    ...Object.entries(properties).flatMap(([member, one]) => typesOf(one, `${name}.${member}`)),
    ...(items === undefined ? [] : typesOf(items, name)),
  ];
}

describe('an answer', () => {
  it('is wrapped in data: in the document, and as it comes [decisions.3.field.data]', async () => {
    const wrapped = stage.operations.filter((one) => jsonAnswer(one) !== undefined && !isOauth(one));
    expect(wrapped.length).toBeGreaterThan(5);
    for (const operation of wrapped) {
      expect(jsonAnswer(operation)?.required, operation.path).toContain('data');
      const good = stage.good.get(operation);
      if (good === undefined) throw new Error(operation.path);
      const answer = await fixture.app.inject(asMeant(stage, operation, good));
      if (answer.statusCode === 200) expect(Object.keys(answer.json()), operation.path).toContain('data');
    }
  });

  it('of /token is not wrapped [decisions.3.exempt-token]', async () => {
    const schema = jsonAnswer(stage.operations.find(({ path }) => path === '/token') as Operation);
    expect(Object.keys(schema?.properties ?? {})).toEqual([
      'access_token',
      'refresh_token',
      'token_type',
      'expires_in',
    ]);
    const refused = await send('POST', '/token');
    expect(refused.headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(refused.json())).toEqual(['error', 'error_description']);
  });

  it('that is a file is the file itself [decisions.3.exempt-files]', async () => {
    const pdf = await send('GET', '/v1/ec/invoices/{id}');
    expect([pdf.headers['content-type'], pdf.body.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
    const csv = await send('GET', '/v1/ec/invoice/{id}/usage.csv');
    expect([csv.headers['content-type'], csv.body.slice(0, 15)]).toEqual([
      'text/csv; charset=utf-8',
      '"Service Item",',
    ]);
  });

  it('carries money and quantities as JSON numbers [decisions.3.money-ec]', async () => {
    const { data } = (await send('GET', '/v1/ec/invoice/{id}')).json();
    expect(data).toMatchObject({ amount: 110, amountDue: 110, subtotal: 100, tax: 10, total: 110 });
    expect(data.lines).toMatchObject([{ quantity: 1, price: 100, amount: 100 }]);
  });

  it('has no amount or quantity that is a text, in any call of the portal [decisions.3.money-ec]', () => {
    const named =
      /^((sub|in)?total|amount|fee|tax|balance|price|units|quantity|consumption|least|most|.*(Amount|Charge|Step|Due|Total|Rest))$/;
    const found: string[] = [];
    const numbers: string[] = [];
    for (const operation of stage.operations.filter(({ path }) => path.startsWith('/v1/ec/')))
      for (const [name, types] of typesOf(jsonAnswer(operation) ?? {}, '')) {
        const member = name.slice(name.lastIndexOf('.') + 1);
        if (!named.test(member) || member === 'dateDue') continue;
        if (types.includes('string')) found.push(`${operation.method} ${operation.path} ${name}`);
        if (types.includes('number')) numbers.push(name);
      }
    expect(found).toEqual([]);
    expect(numbers).toEqual(
      expect.arrayContaining(['.data.invoiceAmount', '.data.attempt.amount', '.data.amount']),
    );
  });
});

describe('a refusal', () => {
  it.each(['/v1/ec/me', '/v1/nothing', '/v1/brands-settings?d=nowhere.example', '/v1/brands-settings'])(
    'of %s is application/problem+json with code, message and requestId [decisions.3.error.problem-json, decisions.3.field.problem.*]',
    async (url) => {
      const answer = await fixture.app.inject(url);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      const { code, message, requestId, status } = problem.parse(answer.json());
      expect(code).toMatch(/^[a-z]+[.][a-zA-Z]+$/);
      expect(message).toMatch(/^[A-Z].{5,}/);
      expect(requestId).toBe(answer.headers['x-request-id']);
      expect(status).toBe(answer.statusCode);
    },
  );
});
