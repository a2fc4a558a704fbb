import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@counterfoil/contract/envelope.ts';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import { safetyHeaders } from './security-headers.ts';

/**
 * Answers what is no HTTP request at all, in the same form as every refusal, and ends the connection: nobody can
 * tell where a next request on it would begin.
 */
export function answerUnreadable(https: boolean): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    // The other side is gone, or half an answer is under way already.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) socket.destroy(error);
    else
      refuseRaw(
        socket,
        https,
        error.code === 'HPE_HEADER_OVERFLOW' ? 'request.headersTooLarge' : 'request.malformed',
      );
  };
}

/** Writes a refusal where there is no reply to write it with. */
export function refuseRaw(socket: Socket, https: boolean, code: ErrorCode): void {
  const { status, text } = errors[code];
  const requestId = randomUUID();
  const body: Problem = { type: 'about:blank', title: code, status, code, message: text, requestId };
  const payload = JSON.stringify(body);
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(payload),
    ...safetyHeaders(https),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${payload}`);
}
