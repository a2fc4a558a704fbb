import { Agent, type IncomingMessage, request } from 'node:http';

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Of the brand; without it `localhost`. */
  readonly host?: string;
  readonly token?: string;
  readonly body?: string | object;
  readonly type?: string;
  /** The status that it has to have (200). */
  readonly expected?: number;
}

/** An answer with another status than the expected one. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends calls over connections that are kept, as browsers and programs do behind one proxy, each from an address of its own. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #port: number;
  /** Calls that were answered so far. */
  count = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** @returns the body @throws {Refused} for another status than the expected one */
  async send({ method, path, host = 'localhost', token, body, type, expected = 200 }: Call): Promise<string> {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const from = this.count % 65_536;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#port,
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        path,
        headers: {
          host,
          'x-forwarded-for': `10.8.${from >> 8}.${from & 255}`,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined
            ? {}
            : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      });
      call.once('error', reject);
      call.once('response', resolve);
      call.end(text);
    });
    let got = '';
    for await (const part of answer.setEncoding('latin1')) got += part;
    this.count += 1;
    const { statusCode = 0 } = answer;
    if (statusCode !== expected)
      throw new Refused(statusCode, `${path} answered ${statusCode}: ${got.slice(0, 500)}`);
    return got;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** What stands in `data` of an answer. */
export const dataOf = <Data>(answer: string): Data => (JSON.parse(answer) as { readonly data: Data }).data;
