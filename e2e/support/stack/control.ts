import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PortalStack, StackFacts } from './portal-stack.ts';

/** Which database a stack runs on. */
export type StackName = 'embedded' | 'external';

/** Starts a stack at first use. @returns undefined where this machine cannot have it */
export type StackSource = (name: StackName) => Promise<PortalStack> | undefined;

/**
 * The tests run in processes of their own; through this address they ask for a stack and break parts of it.
 * @returns the address, which nobody can guess
 */
export async function offerControl(source: StackSource): Promise<{ address: string; close(): void }> {
  const prefix = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://control');
    const [, key, name = '', action = ''] = url.pathname.split('/');
    const answer = async (): Promise<unknown> => {
      const stack = await source(name === 'external' ? 'external' : 'embedded');
      if (stack === undefined) return null;
      if (action === 'facts') return stack.facts;
      if (action === 'alive') return stack.alive();
      if (action === 'revive') return stack.revive().then(() => stack.alive());
      if (action === 'kill-while') {
        return stack.killWhile(url.searchParams.get('path') ?? '', url.searchParams.get('contains') ?? '');
      }
      throw new Error(`there is no ${action}`);
    };
    if (`/${key}` !== prefix) return void response.writeHead(404).end();
    answer().then(
      (value) => response.end(JSON.stringify(value)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${prefix}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The other end of {@link offerControl}, for one stack. */
export class StackControl {
  readonly #address: string;

  constructor(address: string, name: StackName) {
    this.#address = `${address}/${name}`;
  }

  async #ask<T>(action: string): Promise<T> {
    const response = await fetch(`${this.#address}/${action}`, { method: 'POST' });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }

  /** Null where this machine cannot have this stack. */
  facts = (): Promise<StackFacts | null> => this.#ask('facts');
  alive = (): Promise<string[]> => this.#ask('alive');
  revive = (): Promise<string[]> => this.#ask('revive');
  killWhile = (path: string, contains: string): Promise<string> =>
    this.#ask(`kill-while?${new URLSearchParams({ path, contains })}`);
}
