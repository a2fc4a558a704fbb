import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';

export interface AppErrorOptions {
  /** Replaces the catalogue's text for the person, e.g. a gateway's own words. */
  readonly text?: string;
  /** Replaces the catalogue's status, where the caller's own protocol fixes another (a gateway's webhooks). */
  readonly status?: number;
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** For `request.invalid`: which members, and why. */
  readonly fields?: readonly { path: string; message: string }[];
}

/** An expected refusal. The catalogue in the contract gives its status and text. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly { path: string; message: string }[] | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.text = options.text ?? errors[code].text;
    this.headers = options.headers ?? {};
    this.fields = options.fields;
  }
}
