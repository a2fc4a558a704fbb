import { type AddressInfo, connect } from 'node:net';
import type { App } from '../src/http/app-type.ts';

/** Sends bytes as they are. @returns everything that comes back until the connection ends */
export function sendRaw({ server }: Pick<App, 'server'>, bytes: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const parts: Buffer[] = [];
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer, and the connection stays open')));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNRESET' && reject(error));
    socket.on('close', () => resolve(Buffer.concat(parts).toString()));
  });
}
