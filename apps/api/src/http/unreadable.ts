import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@counterfoil/contract/envelope.ts';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import { NOTHING } from './security-headers.ts';

/**
 * Answers what is no HTTP request at all, in the same form as every refusal, and ends the connection: nobody can
 * tell where a next request on it would begin.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // The other side is gone, or half an answer is under way already.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy(error);
    return;
  }
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'request.tooLarge' : 'request.malformed';
  const { status, text } = errors[code];
  const requestId = randomUUID();
  const body: Problem = { type: 'about:blank', title: code, status, code, message: text, requestId };
  const payload = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(payload)}`,
    `content-security-policy: ${NOTHING}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${payload}`);
}
