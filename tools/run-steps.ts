import { availableParallelism } from 'node:os';
import { add, type Counts, countLine, none } from './counts.ts';
import type { Step, StepResult } from './steps.ts';

/**
 * Runs the steps in order, each with its name and time, and stops at the first that fails. Steps in a list of their own do not
 * need each other: they run side by side, as many as there are processors, and all of them to their end.
 * The last line is `N passed, N failed`; a step that failed without failing tests counts as one failure.
 * @returns the exit code
 */
export async function runSteps(
  steps: readonly (Step | readonly Step[])[],
  print: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Promise<number> {
  let counts: Counts = none;
  for (const [index, entry] of steps.entries()) {
    const group = [entry].flat();
    const results = await sideBySide(group, (step) => runStep(step, print));
    for (const { counts: own } of results) counts = add(counts, own ?? none);
    const failed = group.filter((_, at) => results[at]?.ok !== true);
    if (failed.length === 0) continue;
    const left = steps.slice(index + 1).flat();
    print(`\nFailed: ${names(failed)}.${left.length > 0 ? ` Not run: ${names(left)}.` : ''}`);
    if (counts.failed === 0) counts = add(counts, { passed: 0, failed: failed.length, skipped: 0 });
    break;
  }
  print(countLine(counts));
  return counts.failed > 0 ? 1 : 0;
}

const names = (steps: readonly Step[]): string => steps.map(({ name }) => name).join(', ');

async function runStep(step: Step, print: (line: string) => void): Promise<StepResult> {
  const started = performance.now();
  const result = await step.run().catch((error: Error) => {
    print(error.stack ?? error.message);
    return { ok: false, counts: none };
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  print(`${result.ok ? '✓' : '✗'} ${step.name} (${seconds} s)`);
  return result;
}

/** Results in the order of what they are of. */
async function sideBySide<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = [...all.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
