import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A running peer. */
export interface Peer {
  /** @returns the page, and milliseconds until it was read and parsed. @throws {Error} where it answers with an error */
  ask(
    query: string,
  ): Promise<{ readonly ids: readonly string[]; readonly total: number; readonly ms: number }>;
  stop(): Promise<void>;
}

interface Answer {
  readonly errors?: unknown;
  readonly data?: {
    readonly allRecords: { readonly totalCount: number; readonly nodes: readonly { id: string }[] };
  };
}

/** @param folder where PostGraphile and its filters are installed @param url of the database */
export async function startPeer(folder: string, url: string): Promise<Peer> {
  const port = 5_600 + (process.pid % 300);
  const modules = join(folder, 'node_modules');
  const command = [join(modules, 'postgraphile', 'cli.js'), '-c', url, '-s', 'peer', '-n', '127.0.0.1'];
  const options = ['-p', String(port), '--disable-query-log', '--disable-graphiql'];
  const plugins = ['--append-plugins', join(modules, 'postgraphile-plugin-connection-filter')];
  const child = spawn(process.execPath, [...command, ...options, ...plugins], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  for await (const line of createInterface({ input: child.stdout }))
    if (/listening on port/.test(line)) break;
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`PostGraphile ended with ${child.exitCode}`);
  return {
    async ask(query) {
      const begun = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await answer.json()) as Answer;
      if (data === undefined || errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 500));
      const { nodes, totalCount: total } = data.allRecords;
      return { ids: nodes.map(({ id }) => id), total, ms: performance.now() - begun };
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
