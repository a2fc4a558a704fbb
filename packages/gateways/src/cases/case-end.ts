/** The gateway does not do what its adapter says. The message is for the operator. */
export class CaseFailed extends Error {
  override readonly name = 'CaseFailed';
}

/** This account cannot show it: neither passed nor failed. */
export class CaseNotAvailable extends Error {
  override readonly name = 'CaseNotAvailable';
}

/** @throws {CaseFailed} with `words` unless `condition` holds */
export function ensure(condition: unknown, words: string): asserts condition {
  if (condition !== true) throw new CaseFailed(words);
}
