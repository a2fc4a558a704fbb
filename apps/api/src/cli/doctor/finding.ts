/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly is: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** What was found and what to do about it, as one line. */
export const sayFinding = ({ found, remedy }: Finding): string =>
  remedy === undefined ? found : `${found}; ${remedy}`;

/** What an error says, with its cause, on one line. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
