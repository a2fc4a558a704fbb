/** What the provider's protocol asks for, case by case: for people, and for `docs/gateways.md`. */

/** A test: its file from the top of the repository, and its title or a part of it. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

export interface Conformance {
  /** What the tests of the sandbox speak with: a client that neither its author nor the adapter's wrote. */
  readonly judgedBy: string;
  /**
   * What is asked, a sentence each; the first is case 1. Numbers stay, for a test names the cases that it shows at the head of its
   * title: `it('7, 11: gives back masked numbers')`. Such tests are looked for in the gateway's folder and in
   * `apps/api/test/paying/gateways/<name>*.test.ts`.
   */
  readonly cases: readonly string[];
  /** Tests that show a case and are of no gateway alone, by the number of the case. */
  readonly elsewhere?: Readonly<Record<number, Shown>>;
  /** What no test here can prove: the sandbox was built from the same reading of the documentation. */
  readonly unproven: readonly string[];
}
