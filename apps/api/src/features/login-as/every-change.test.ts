import { expect, it } from 'vitest';
import { asMeant, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await fixture.database.pool().query<Row>(text)).rows;
const onRecord = () =>
  query<{ call: string }>(
    "select detail->>'call' as call from audit_event where action = 'support.request' and actor = 'Sam'",
  );

it('every call that changes something is on record when support makes it, or refused to support', async () => {
  const stage = await setStage(fixture);
  const asked: string[] = [];
  const refused: string[] = [];
  // A program has a key and no session, so nobody acts in its name.
  const bySession = stage.operations.filter(({ access }) => access === 'session' || access === 'customer');
  const changing = bySession.filter(({ method }) => !['get', 'head'].includes(method.toLowerCase()));
  for (const operation of changing) {
    const good = stage.good.get(operation);
    if (good === undefined) throw new Error(`no good request of ${operation.path}`);
    await stage.renewSession();
    await query("update user_session set actor = 'Sam', look_only = true where ended_at is null");
    const before = (await onRecord()).length;
    if (!operation.path.endsWith('/logout')) {
      const looking = await fixture.app.inject(asMeant(stage, operation, good));
      // What changes how the user gets in is refused to support before.
      expect(looking.json(), operation.path).toMatchObject({ code: expect.stringMatching(/^support\./) });
    }
    await query('update user_session set look_only = false where ended_at is null');
    const answer = await fixture.app.inject(asMeant(stage, operation, good));
    const lines = (await onRecord()).slice(before).map(({ call }) => call);
    const call = `${operation.method.toUpperCase()} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    if (answer.statusCode === 403 && answer.json().code === 'support.notAllowed') {
      refused.push(call);
      expect(lines).toEqual([]);
    } else {
      asked.push(call);
      expect(lines, `${call}: ${answer.statusCode}`).toEqual([call]);
    }
  }
  expect(refused).toEqual(expect.arrayContaining(['POST /v1/ec/password', 'DELETE /v1/ec/sessions']));
  expect(asked).toEqual(expect.arrayContaining(['POST /v1/ec/logout', 'PUT /v1/ec/service-items/:id']));
});
