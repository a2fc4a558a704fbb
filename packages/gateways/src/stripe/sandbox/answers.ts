/** Reading a request's parameters, and the answers that do not come from an endpoint. */
import type { SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { invalid, StripeFault } from './errors.ts';
import { decodeForm, type FormMap } from './form.ts';
import type { Route } from './route.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly original?: string;
}

export function readForm(request: SandboxRequest): FormMap {
  if (request.method !== 'POST') return decodeForm(request.query);
  const text = request.body.toString('utf8');
  const type = request.headers['content-type'] ?? '';
  if (text !== '' && type !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw invalid(
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.`,
    );
  }
  return decodeForm(request.query === '' ? text : `${request.query}&${text}`);
}

export function failure(fault: StripeFault, requestId: string): Answer {
  return { status: fault.status, body: JSON.stringify(fault.body(requestId)) };
}

export function internal(): StripeFault {
  return new StripeFault(
    500,
    'api_error',
    'An error occurred with our servers. Please try again later.',
    {},
    true,
  );
}

export function limited(code: string, message: string): StripeFault {
  return new StripeFault(429, 'invalid_request_error', message, { code });
}

/** A look-up that sees nothing: an empty list, or an object that does not exist. */
export function blind(route: Route, path: string, requestId: string): Answer {
  if (!route.path.includes(':')) {
    const search = route.path.endsWith('/search');
    const empty = {
      object: search ? 'search_result' : 'list',
      data: [],
      has_more: false,
      url: path,
      ...(search ? { next_page: null } : {}),
    };
    return { status: 200, body: JSON.stringify(empty) };
  }
  const id = path.slice(path.lastIndexOf('/') + 1);
  return failure(
    new StripeFault(404, 'invalid_request_error', `No such object: '${id}'`, {
      code: 'resource_missing',
      param: 'id',
    }),
    requestId,
  );
}
