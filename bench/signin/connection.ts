import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** As a trusted proxy would write it. */
  readonly from?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly type?: string;
}

/**
 * One kept connection that sends a request at a time. Node's own client costs as much as answering does, and would
 * take the cores that are to be measured.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<Omit<Answer, 'ms'>> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (part) => this.#take(part));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  async send({
    method,
    path,
    from,
    token,
    headers = {},
    body = '',
    type = 'application/json',
  }: Request): Promise<Answer> {
    const lines = [`${method} ${path} HTTP/1.1`, 'host: bench.localhost', 'user-agent: bench'];
    if (from !== undefined) lines.push(`x-forwarded-for: ${from}`);
    if (token !== undefined) lines.push(`authorization: Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (method === 'POST') lines.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`);
    // What was closed while nobody waited would be waited for for ever.
    if (this.#socket.destroyed) throw new Error('the server has closed the connection');
    const start = performance.now();
    this.#waiting = Promise.withResolvers();
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    const answer = await this.#waiting.promise;
    return { ...answer, ms: performance.now() - start };
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
