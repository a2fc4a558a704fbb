import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playwrightCounts, vitestCounts } from './counts.ts';
import { runSteps } from './run-steps.ts';
import type { Step, StepResult } from './steps.ts';

const step = (name: string, result: StepResult | Error): Step => ({
  name,
  run: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)),
});
const passing = (passed: number, skipped = 0) => ({ ok: true, counts: { passed, failed: 0, skipped } });

async function outcome(...steps: (Step | Step[])[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runSteps(steps, (line) => lines.push(line.replace(/\(\d+\.\d s\)/, '(time)')));
  return { code, lines };
}

describe('a run', () => {
  it('names and times every step and ends with the sum of the counts', async () => {
    expect(
      await outcome(step('types', { ok: true }), step('unit', passing(3)), step('e2e', passing(2))),
    ).toEqual({
      code: 0,
      lines: ['✓ types (time)', '✓ unit (time)', '✓ e2e (time)', '5 passed, 0 failed'],
    });
    expect((await outcome(step('unit', passing(3, 1)))).lines.at(-1)).toBe('3 passed, 0 failed, 1 skipped');
  });

  it('stops at the first failure and says what did not run', async () => {
    const failed = step('unit', { ok: false, counts: { passed: 2, failed: 3, skipped: 0 } });
    expect(await outcome(failed, step('build', { ok: true }), step('e2e', passing(1)))).toEqual({
      code: 1,
      lines: ['✗ unit (time)', '\nFailed: unit. Not run: build, e2e.', '2 passed, 3 failed'],
    });
  });

  it('runs steps of a list side by side, all to their end, before what follows', async () => {
    const lint = step('lint', { ok: false });
    const types = step('types', { ok: true });
    const rules = step('rules', { ok: false });
    expect(await outcome([lint, types, rules], step('unit', passing(1)))).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(/^. (lint|types|rules) /),
        expect.stringMatching(/^. (lint|types|rules) /),
        expect.stringMatching(/^. (lint|types|rules) /),
        '\nFailed: lint, rules. Not run: unit.',
        '0 passed, 2 failed',
      ],
    });
    expect((await outcome([types, step('rules', passing(1))], step('unit', passing(1)))).lines.at(-1)).toBe(
      '2 passed, 0 failed',
    );
  });

  it('counts a step that fails or breaks without failing tests as one failure', async () => {
    expect((await outcome(step('lint', { ok: false }))).lines.at(-1)).toBe('0 passed, 1 failed');
    const broken = await outcome(step('lint', new Error('no such tool')));
    expect([broken.code, broken.lines.at(-1)]).toEqual([1, '0 passed, 1 failed']);
    expect(broken.lines[0]).toContain('no such tool');
  });
});

describe('counts', () => {
  const written = (report: unknown, read: (file: string) => unknown) => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-counts-'));
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
    const counts = read(join(folder, 'report.json'));
    rmSync(folder, { recursive: true });
    return counts;
  };

  it('takes a test file that does not load for a failure', () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}] },
      ],
    };
    expect(written(report, vitestCounts)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  it('takes a failed set-up for a failure, and an end-to-end test that passed at a second try for passed', () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] };
    expect(written(report, playwrightCounts)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });

  it('counts nothing when there is no report', () => {
    expect(vitestCounts('/nowhere/report.json')).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});
