import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const RETRY_DOWN_AFTER_MS = 300;
const LARGEST_BODY = 16 * 1024 * 1024;
/** These may be sent to another server when the first one ends in the middle. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Backend {
  readonly name: string;
  port: number;
  agent: Agent;
  downUntil: number;
  readonly running: Set<Running>;
}

/** A request that a backend has not answered yet. */
interface Running {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

interface Given extends Running {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A load balancer in front of the `serve` processes, as small as one can be: takes them in turn, leaves out one
 * that does not answer, and gives reading requests of a dead one to the next. Everything else is answered 502,
 * because nobody can know what became of it.
 */
export class Balancer {
  readonly #backends: Backend[] = [];
  readonly #server = createServer((incoming, response) => {
    this.#take(incoming, response).catch(() => response.destroy());
  });
  #turn = 0;

  /** @returns the port it listens on */
  async listen(): Promise<number> {
    this.#server.keepAliveTimeout = 60_000;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds a server, or gives a known one its new port. */
  set(name: string, port: number): void {
    const known = this.#backends.find((one) => one.name === name);
    const fresh = { port, agent: new Agent({ keepAlive: true }), downUntil: 0 };
    if (known === undefined) this.#backends.push({ name, running: new Set(), ...fresh });
    else Object.assign(known, fresh);
  }

  /** Names of the servers with writing requests under way that this accepts. */
  busyWith(accepts: (path: string, body: string) => boolean): string[] {
    const writes = ({ running }: Backend) => [...running].filter(({ method }) => !SAFE.has(method));
    return this.#backends
      .filter((one) => writes(one).some(({ path, body }) => accepts(path, body.toString('utf8'))))
      .map(({ name }) => name);
  }

  /** How many writing requests a server has not answered yet. */
  writesAt(name: string): number {
    const backend = this.#backends.find((one) => one.name === name);
    return [...(backend?.running ?? [])].filter(({ method }) => !SAFE.has(method)).length;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const { agent } of this.#backends) agent.destroy();
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of incoming as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > LARGEST_BODY) return void response.writeHead(413).end();
      parts.push(part);
    }
    const given = { method: incoming.method ?? 'GET', path: incoming.url ?? '/', body: Buffer.concat(parts) };
    this.#forward({ ...given, incoming, response }, new Set());
  }

  #next(tried: ReadonlySet<string>): Backend | undefined {
    const left = this.#backends.filter(({ name }) => !tried.has(name));
    const up = left.filter(({ downUntil }) => downUntil <= Date.now());
    const among = up.length > 0 ? up : left;
    this.#turn += 1;
    return among[this.#turn % among.length];
  }

  #forward(given: Given, tried: Set<string>): void {
    const { method, path, body, incoming, response } = given;
    const backend = this.#next(tried);
    if (backend === undefined)
      return void response.writeHead(502, { 'content-type': 'text/plain' }).end('no server');
    tried.add(backend.name);
    backend.running.add(given);
    const { 'transfer-encoding': _chunked, ...headers } = incoming.headers;
    const upstream = request({
      host: '127.0.0.1',
      port: backend.port,
      agent: backend.agent,
      method,
      path,
      headers: {
        ...headers,
        ...(body.length > 0 && { 'content-length': String(body.length) }),
        'x-forwarded-for': incoming.socket.remoteAddress,
      },
    });
    const done = () => backend.running.delete(given);
    response.on('close', () => {
      done();
      if (!response.writableFinished) upstream.destroy();
    });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, done);
    });
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      done();
      if (response.headersSent || response.destroyed) return void response.destroy();
      const neverArrived = error.code === 'ECONNREFUSED';
      if (neverArrived) backend.downUntil = Date.now() + RETRY_DOWN_AFTER_MS;
      if (neverArrived || SAFE.has(method)) this.#forward(given, tried);
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('the server ended');
    });
    upstream.end(body);
  }
}
