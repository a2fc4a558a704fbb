import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { joinToOverwrite } from '@counterfoil/gateways/kit/secret-bytes.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../app-type.ts';
import { liftNumbers } from './lift-numbers.ts';
import { type NumberMembers, RequestNumbers } from './request-numbers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Members in which card or account numbers may come. They are taken out of the body before text is made of it, and
     * overwritten when the request ends; whether they are taken at all, the handler decides.
     */
    numbers?: NumberMembers;
  }
  interface FastifyRequest {
    numbers: RequestNumbers | null;
  }
}

/** The numbers of a request. @throws {Error} on a route that declares none */
export function numbersOf({ numbers }: FastifyRequest): RequestNumbers {
  if (numbers === null) throw new Error('the route declares no numbers');
  return numbers;
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Has the routes that declare `numbers` take them as bytes. To be called before these routes are made. */
export function takeNumbersAsBytes(app: App, bodyLimit: number): void {
  app.decorateRequest('numbers', null);
  app.addHook('onRoute', (route) => {
    const members = route.config?.numbers;
    if (members === undefined) return;
    const { handler } = route;
    const before = <Hook>(own: Hook, others: Hook | Hook[] = []): Hook[] => [
      own,
      ...(Array.isArray(others) ? others : [others]),
    ];
    route.preParsing = before(async (request, reply, payload) => {
      const { headers } = request;
      if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
        request.numbers = new RequestNumbers(members, new Map());
        return payload;
      }
      // What follows the refusal of a body on its connection may be the rest of it.
      reply.header('connection', 'close');
      const body = await readBytes(request, payload, bodyLimit);
      const mark = wordOf(16);
      const lifted = liftNumbers(
        body,
        new Set(Object.keys(members)),
        (index) => `${mark}${letters(String(index))}`,
      );
      const size = body.length;
      body.fill(0);
      if (lifted === undefined) throw new AppError('request.malformed');
      request.numbers = new RequestNumbers(members, lifted.values);
      if (reply.sent) request.numbers.destroy();
      reply.removeHeader('connection');
      return Object.assign(Readable.from([lifted.json]), { receivedEncodedLength: size });
    }, route.preParsing);
    route.preHandler = before(async (request) => {
      request.numbers?.refuseElsewhere(request.body);
    }, route.preHandler);
    // Also an answer that was made before the handler was reached, or instead of it.
    route.onSend = before(async (request) => {
      if (request.numbers?.isHandled === false) request.numbers.destroy();
    }, route.onSend);
    route.handler = async function (request, reply) {
      const numbers = numbersOf(request);
      numbers.isHandled = true;
      try {
        return await handler.call(this, request, reply);
      } finally {
        numbers.destroy();
      }
    };
  });
}

/**
 * The whole body of a request, as bytes of which there is no other copy in the reach of this program.
 * @throws {AppError} request.mediaType, request.tooLarge, request.malformed; what has come by then is overwritten
 */
async function readBytes(
  { headers }: FastifyRequest,
  payload: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (!isPlain || !JSON_TYPE.test(headers['content-type'] ?? '')) throw new AppError('request.mediaType');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (Number(headers['content-length']) > limit) throw new AppError('request.tooLarge');
    for await (const chunk of payload) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) throw new AppError('request.tooLarge');
    }
    return joinToOverwrite(chunks);
  } catch (error) {
    // Where the connection breaks, its error says nothing that anybody could read.
    throw error instanceof AppError ? error : new AppError('request.malformed', { cause: error });
  } finally {
    for (const chunk of chunks) chunk.fill(0);
  }
}

/** Random text of letters alone: no guard takes it for a number. */
const wordOf = (bytes: number): string => letters(randomBytes(bytes).toString('hex'));

/** Hexadecimal digits as letters. */
const letters = (hex: string): string =>
  hex.replace(/[0-9a-f]/g, (digit) => String.fromCharCode(0x67 + Number.parseInt(digit, 16)));
