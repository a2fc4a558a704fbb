import type { Reporter, TestCase } from 'vitest/node';

/** Names at the end of a run the tests that passed only when they were tried again: each of them is a fault to be found. */
export default class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true)
      this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#names) process.stdout.write(`passed at a second try: ${name}\n`);
  }
}
