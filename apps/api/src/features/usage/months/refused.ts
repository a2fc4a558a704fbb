/** A month cannot be treated as was asked; the message says why, for whoever runs the installation. */
export class MonthRefused extends Error {
  override readonly name = 'MonthRefused';
}

/** '2026-01' of '2026-01-01'. */
export const nameOf = (month: string): string => month.slice(0, 7);
