import { problem } from '@counterfoil/contract/envelope.ts';
import { errors } from '@counterfoil/contract/errors.ts';
import { tokenError } from '@counterfoil/contract/people/auth.ts';

/** What came back, as far as it is judged. */
export interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Marks of our insides: stack traces, file names, SQL, library codes. */
const INSIDES =
  /\bat \S+ \(|\.ts:\d+|node_modules|\bFST_ERR|\bselect .+ from |syntax error at or near|ZodError/;

/**
 * @param path   of the call in the document
 * @param marker a text that only somebody else's data holds
 * @returns what is wrong with an answer to bad input, or undefined
 */
export function faultOf(answer: Answered, path: string, method: string, marker: string): string | undefined {
  const { statusCode, body } = answer;
  if (statusCode >= 500) return `answered ${statusCode}`;
  if (body.includes(marker)) return "showed somebody else's data";
  if (!answer.headers['x-request-id']) return 'has no request id';
  if (!String(answer.headers['content-security-policy']).includes("default-src 'none'"))
    return 'has no policy';
  if (statusCode < 400) return undefined;
  if (INSIDES.test(body)) return `showed its insides: ${INSIDES.exec(body)?.[0]}`;
  if (method === 'HEAD') return undefined;
  return /^\/token(\/revoke)?$/.test(path) ? oauthFault(answer) : problemFault(answer);
}

function oauthFault(answer: Answered): string | undefined {
  if (String(answer.headers['content-type']).includes('application/problem+json'))
    return problemFault(answer);
  if (!String(answer.headers['content-type']).startsWith('application/json'))
    return 'is not application/json';
  return tokenError.safeParse(parsed(answer.body)).success ? undefined : 'is no RFC 6749 error';
}

function problemFault({ statusCode, headers, body }: Answered): string | undefined {
  if (!String(headers['content-type']).startsWith('application/problem+json')) return 'is not problem+json';
  const read = problem.safeParse(parsed(body));
  if (!read.success) return 'is no problem of RFC 9457';
  const { code, status, requestId } = read.data;
  if (!Object.hasOwn(errors, code)) return `has the unknown code ${code}`;
  if (status !== statusCode) return `says ${status} under ${statusCode}`;
  return requestId === headers['x-request-id'] ? undefined : 'has another request id than its header';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
