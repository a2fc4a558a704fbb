import { add, type Counts, countLine, none } from './counts.ts';
import type { Step } from './steps.ts';

/**
 * Runs the steps in order, each with its name and time, and stops at the first that fails.
 * The last line is `N passed, N failed`; a step that failed without failing tests counts as one failure.
 * @returns the exit code
 */
export async function runSteps(
  steps: readonly Step[],
  print: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Promise<number> {
  let counts: Counts = none;
  for (const [index, step] of steps.entries()) {
    const started = performance.now();
    const result = await step.run().catch((error: Error) => {
      print(error.stack ?? error.message);
      return { ok: false, counts: none };
    });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    counts = add(counts, result.counts ?? none);
    print(`${result.ok ? '✓' : '✗'} ${step.name} (${seconds} s)`);
    if (result.ok) continue;
    const left = steps.slice(index + 1).map(({ name }) => name);
    print(`\nFailed: ${step.name}.${left.length > 0 ? ` Not run: ${left.join(', ')}.` : ''}`);
    if (counts.failed === 0) counts = add(counts, { passed: 0, failed: 1, skipped: 0 });
    break;
  }
  print(countLine(counts));
  return counts.failed > 0 ? 1 : 0;
}
