/** One thing `doctor` looked at. */
export interface Finding {
  readonly what: string;
  readonly is: 'ok' | 'warning' | 'fault';
  readonly found: string;
}

/** What an error says, with its cause, on one line. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
