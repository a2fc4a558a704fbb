/** What the provider's protocol asks for, case by case, and the tests that show it: for people, and for `docs/gateways.md`. */

/** A test: its file from the top of the repository, and its title or a part of it. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

export interface ConformanceCase {
  /** From 1, without gaps; the titles of its tests may begin with it. */
  readonly number: number;
  readonly what: string;
  readonly shownBy: readonly Shown[];
}

export interface Conformance {
  /** What the tests of the sandbox speak with: a client that neither its author nor the adapter's wrote. */
  readonly judgedBy: string;
  readonly cases: readonly ConformanceCase[];
  /** What no test here can prove: the sandbox was built from the same reading of the documentation. */
  readonly unproven: readonly string[];
}
