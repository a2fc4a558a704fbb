import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from './api/api.ts';
import { choose, preferencesQuery } from './preferences.ts';

vi.mock('./api/api.ts', () => ({ api: { get: vi.fn(), put: vi.fn() } }));
const put = vi.mocked(api.put);
const { queryKey } = preferencesQuery();
let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  put.mockReset().mockResolvedValue(undefined);
  client = new QueryClient();
  client.setQueryData(queryKey, { other: 1 });
});
afterEach(() => void vi.useRealTimers());

it('holds at once and is stored once, when the person pauses', async () => {
  for (const value of [1, 2, 3]) {
    choose(client, 'grid.a', () => value, true);
    expect(client.getQueryData(queryKey)).toEqual({ other: 1, 'grid.a': value });
    await vi.advanceTimersByTimeAsync(499);
  }
  choose(client, 'grid.b', () => 'b', true);
  expect(put).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(put.mock.calls).toEqual([
    ['/v1/ec/preferences/grid.a', { value: 3 }],
    ['/v1/ec/preferences/grid.b', { value: 'b' }],
  ]);
});

it('is forgotten by null', async () => {
  choose(client, 'other', () => null, true);
  expect(client.getQueryData(queryKey)).toEqual({});
  await vi.advanceTimersByTimeAsync(500);
  expect(put.mock.calls).toEqual([['/v1/ec/preferences/other', { value: null }]]);
});

it('stays and is stored later when storing failed, or nothing could be loaded', async () => {
  client.removeQueries({ queryKey });
  put.mockRejectedValueOnce(new Error('offline'));
  choose(client, 'grid.a', () => 1, true);
  await vi.advanceTimersByTimeAsync(500);
  expect(client.getQueryData(queryKey)).toEqual({ 'grid.a': 1 });
  choose(client, 'grid.a', () => 2, true);
  await vi.advanceTimersByTimeAsync(500);
  expect(put).toHaveBeenLastCalledWith('/v1/ec/preferences/grid.a', { value: 2 });
});

it('of support holds for the page and is not stored', async () => {
  choose(client, 'grid.a', () => 1, false);
  expect(client.getQueryData(queryKey)).toEqual({ other: 1, 'grid.a': 1 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(put).not.toHaveBeenCalled();
});

it('is made from the choice before, however soon after it', async () => {
  const more = (before: unknown) => [...(Array.isArray(before) ? before : []), 'more'];
  choose(client, 'grid.a', more, true);
  choose(client, 'grid.a', more, true);
  await vi.advanceTimersByTimeAsync(500);
  expect(put.mock.calls).toEqual([['/v1/ec/preferences/grid.a', { value: ['more', 'more'] }]]);
});
