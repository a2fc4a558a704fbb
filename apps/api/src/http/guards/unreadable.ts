import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@counterfoil/contract/envelope.ts';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import { safetyHeaders } from './security-headers.ts';

/** How raw refusals are sent. */
export interface RawRefusals {
  readonly https: boolean;
  /** Time for a client to read its refusal and to end the connection itself. */
  readonly lingerMs: number;
}

/**
 * Answers what is no HTTP request at all, or comes too slowly, in the same form as every refusal, and ends the
 * connection: nobody can tell where a next request on it would begin.
 */
export function answerUnreadable(
  refusing: RawRefusals,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    const { code = '' } = error;
    // It was refused already, and more of the same came.
    if (socket.writableEnded && code.startsWith('HPE_')) return;
    // The other side is gone, has not asked for anything, or half an answer is under way already.
    if (code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0 || socket.bytesWritten > 0)
      socket.destroy();
    else refuseRaw(socket, refusing, refusals[code] ?? 'request.malformed');
  };
}

const refusals: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'request.headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
};

/**
 * Writes a refusal where there is no reply to write it with, and ends the connection. A client that keeps its side
 * open is not waited for: `end` alone would leave the connection half open, for as long as the client likes.
 */
export function refuseRaw(socket: Socket, { https, lingerMs }: RawRefusals, code: ErrorCode): void {
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
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(linger));
}
