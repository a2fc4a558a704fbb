import { createServer } from 'node:net';

/**
 * A port of the loopback interface that is free now.
 * @param preferred taken when it is free
 */
export async function findFreePort(preferred?: number): Promise<number> {
  return (preferred && (await tryPort(preferred))) || (await tryPort(0)) || 0;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
