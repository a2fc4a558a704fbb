/** Errors as Stripe puts them on the wire. https://docs.stripe.com/api/errors */
import { ParamFault, type ParamProblem } from '@counterfoil/sandbox/param-fault.ts';

export interface ErrorFields {
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly advice_code?: string;
  readonly charge?: string;
  readonly payment_intent?: object;
  readonly setup_intent?: object;
  readonly payment_method?: object;
}

export type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

export class StripeFault extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly fields: ErrorFields;
  /** Whether the endpoint had begun its work: only then is the answer kept for its idempotency key. */
  readonly begun: boolean;

  constructor(status: number, type: ErrorType, message: string, fields: ErrorFields = {}, begun = false) {
    super(message);
    this.status = status;
    this.type = type;
    this.fields = fields;
    this.begun = begun;
  }

  /** The error as sent. */
  body(requestId: string): object {
    const code = this.fields.code;
    return {
      error: {
        ...this.fields,
        ...(code === undefined
          ? {}
          : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        message: this.message,
        ...(this.status === 401
          ? {}
          : { request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` }),
        type: this.type,
      },
    };
  }
}

/** 400 for a request that is wrong before anything was done. */
export function invalid(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, {
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** 400 for a request that came in the wrong state; kept for its idempotency key. */
export function conflict(message: string, fields: ErrorFields = {}): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, fields, true);
}

/** 404 for an id in the path, 400 for one in the body. */
export function missing(what: string, id: string, param: string, inPath = false): StripeFault {
  return new StripeFault(inPath ? 404 : 400, 'invalid_request_error', `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

const codes: Readonly<Partial<Record<ParamProblem, string>>> = {
  missing: 'parameter_missing',
  empty: 'parameter_invalid_empty',
  unknown: 'parameter_unknown',
  integer: 'parameter_invalid_integer',
  length: 'parameter_invalid_string_length',
  address: 'url_invalid',
};

/** What a piece of work threw, in Stripe's words; `undefined` for a fault of the sandbox itself. */
export function faultFrom(cause: unknown): StripeFault | undefined {
  if (cause instanceof StripeFault) return cause;
  if (cause instanceof ParamFault) return invalid(cause.message, cause.param, codes[cause.problem]);
  return undefined;
}
