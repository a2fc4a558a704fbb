import { expect, it } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';

const { run, json } = useCommands();

it('makes, lists, changes, rotates and deletes an endpoint, and says what it does not take', async () => {
  await json('reseller', 'add', '--id', '7200', '--name', 'Hooks');
  const hook = (action: string, ...args: string[]) =>
    run('webhook-endpoint', action, '--reseller', '7200', ...args);
  const url = 'https://receiver.example/hook';
  const [id = '', secret] = (await hook('add', '--url', url, '--type', 'invoice.paid,invoice.due')).out.split(
    '\n',
  );
  expect(secret).toMatch(/^whsec_/);
  expect(await hook('add', '--url', url)).toMatchObject({ code: 1, err: expect.stringContaining('already') });
  expect(await hook('add', '--url', 'https://localhost/')).toMatchObject({
    code: 1,
    err: expect.stringContaining('private network'),
  });
  for (const [args, words] of [
    [['add', '--url', url, '--type', 'all'], "'all' is no type"],
    [['set', '--id', id, '--state', 'off'], '--state is one of'],
    [['rotate', '--id', id, '--grace', '8d'], '7 days at most'],
    [['redeliver', '--id', id], '--since is missing'],
  ] as const)
    expect(await hook(...(args as unknown as [string]))).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    });
  expect((await hook('set', '--id', id, '--state', 'paused', '--all-types')).out).toContain('is paused');
  expect(await hook('test', '--id', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not enabled'),
  });
  expect((await hook('rotate', '--id', id, '--grace', '1h')).out).toMatch(/^whsec_/);
  expect((await hook('redeliver', '--id', id, '--since', '2026-01-01')).out).toContain('0 are sent again');
  expect((await hook('list')).out).toMatch(/receiver\.example\/hook +paused .* all/);
  expect((await hook('remove', '--id', id)).code).toBe(0);
  expect(await hook('remove', '--id', id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not known'),
  });
});
