import { MAX_PREFERENCES } from '@counterfoil/contract/preferences.ts';
import { expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const path = '/v1/ec/preferences';

async function person() {
  const { call, get, user } = await signedIn(fixture);
  return {
    user,
    all: async () => (await get(path)).json().data,
    put: (key: string, body: object) => call('PUT', `${path}/${key}`, body),
  };
}
const statusAndCode = (answer: { statusCode: number; json: () => { code?: string } }) => [
  answer.statusCode,
  answer.json().code,
];

it('keeps any JSON by key, replaces it, and forgets it on null', async () => {
  const { all, put } = await person();
  expect(await all()).toEqual({});
  const value = { hidden: ['dateDue'], widths: { number: 14 } };
  expect((await put('grid.invoices', { value })).statusCode).toBe(204);
  for (const plain of ['text', 7, false, [1, 'ä']]) {
    expect((await put('plain-2', { value: plain })).statusCode).toBe(204);
    expect(await all()).toEqual({ 'grid.invoices': value, 'plain-2': plain });
  }
  expect((await put('plain-2', { value: null })).statusCode).toBe(204);
  expect((await put('never-there', { value: null })).statusCode).toBe(204);
  expect(await all()).toEqual({ 'grid.invoices': value });
});

it('shows nobody another’s, under the same key either', async () => {
  const [mine, theirs] = [await person(), await person()];
  await mine.put('grid.invoices', { value: 'mine' });
  await theirs.put('grid.invoices', { value: 'theirs' });
  await theirs.put('more', { value: 1 });
  expect(await mine.all()).toEqual({ 'grid.invoices': 'mine' });
  await mine.put('grid.invoices', { value: null });
  expect(await theirs.all()).toEqual({ 'grid.invoices': 'theirs', more: 1 });
});

it('takes 4 KB as JSON and no more, counted in bytes', async () => {
  const { all, put } = await person();
  const long = 'é'.repeat(2047);
  expect((await put('long', { value: long })).statusCode).toBe(204);
  expect(statusAndCode(await put('long', { value: `${long}é` }))).toEqual([400, 'request.invalid']);
  expect(await all()).toEqual({ long });
});

it('refuses other keys, and a body without a value', async () => {
  const { all, put } = await person();
  for (const key of ['Upper', '1st', '.dot', 'a_b', `a${'b'.repeat(100)}`])
    expect(statusAndCode(await put(key, { value: 1 })), key).toEqual([400, 'request.invalid']);
  expect(statusAndCode(await put('a', {}))).toEqual([400, 'request.invalid']);
  expect((await put(`a${'b'.repeat(99)}`, { value: 1 })).statusCode).toBe(204);
  expect(Object.keys(await all())).toHaveLength(1);
});

it('keeps fifty of a user, also when the last two come at once', async () => {
  const { all, put } = await person();
  for (let number = 1; number < MAX_PREFERENCES; number += 1) await put(`key-${number}`, { value: number });
  const last = await Promise.all([put('a', { value: 1 }), put('b', { value: 1 })]);
  expect(last.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 409]);
  expect(statusAndCode(await put('one-more', { value: 1 }))).toEqual([409, 'preference.tooMany']);
  expect((await put('key-1', { value: 'changed' })).statusCode).toBe(204);
  expect((await put('key-2', { value: null })).statusCode).toBe(204);
  expect((await put('one-more', { value: 1 })).statusCode).toBe(204);
  expect(Object.keys(await all())).toHaveLength(MAX_PREFERENCES);
  // What others keep does not count.
  expect((await (await person()).put('first', { value: 1 })).statusCode).toBe(204);
});

it('lets support look and change nothing', async () => {
  const { all, put, user } = await person();
  await put('grid.invoices', { value: 1 });
  await fixture.database.pool().query("update user_session set actor = 'Sam' where user_id = $1", [user.id]);
  expect(statusAndCode(await put('grid.invoices', { value: 2 }))).toEqual([403, 'support.notAllowed']);
  expect(await all()).toEqual({ 'grid.invoices': 1 });
});

it('goes with its user', async () => {
  const { put, user } = await person();
  await put('grid.invoices', { value: 1 });
  const pool = fixture.database.pool();
  const rows = async () =>
    (await pool.query('select 1 from user_preference where user_id = $1', [user.id])).rowCount;
  expect(await rows()).toBe(1);
  await pool.query('delete from app_user where id = $1', [user.id]);
  expect(await rows()).toBe(0);
});
