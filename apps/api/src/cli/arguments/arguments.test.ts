import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../command.ts';
import { commands } from '../commands.ts';
import { runCommand } from '../run.ts';
import { checkedMoment } from './arguments.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a day or time', () => {
  it.each([
    ['2026-03-15', '2026-03-15T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-03-15T06:00', '2026-03-15T06:00:00.000Z'],
    ['2026-03-15 06:00:01', '2026-03-15T06:00:01.000Z'],
    ['2026-03-15T06:00:00.25Z', '2026-03-15T06:00:00.250Z'],
    ['2026-03-15T06:00+05:30', '2026-03-15T00:30:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(checkedMoment('now', text).toISOString()).toBe(moment);
  });

  it.each(['2026-02-31', '2026-02-29T06:00Z', '2026-13-01', '2026-00-10', '2026-04-31 06:00'])(
    '%s is no day of the calendar',
    (text) => {
      expect(() => checkedMoment('now', text)).toThrow(
        new UsageError(`--now: there is no day ${text.slice(0, 10)}`),
      );
    },
  );

  it.each(['soon', '', '31 Feb 2026', '2026-3-1', '2026-03-15T', '2026-03-15T25:00', '2026-03-15T06:00 UTC'])(
    '%s is none at all',
    (text) => {
      expect(() => checkedMoment('now', text)).toThrow('takes a day or time such as');
    },
  );
});

it.each([
  [['autopay', '--dry-run', '--now', '2026-02-31'], '--now'],
  [['payments', 'list', '--since', '2026-02-31'], '--since'],
  [['payments', 'export', '--since', '2026-02-31'], '--since'],
  [['audit', '--since', '2026-02-31'], '--since'],
  [['audit', '--until', '2026-02-31T08:00Z'], '--until'],
])('%j is called wrongly, before anything is opened', async (args, option) => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:9/none');
  vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
  const err: string[] = [];
  const output = { out: () => undefined, err: (line: string) => err.push(line) };
  expect(await runCommand(commands, args, output)).toBe(2);
  expect(err.join('\n')).toContain(`${option}: there is no day 2026-02-31`);
});
