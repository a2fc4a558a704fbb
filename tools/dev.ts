import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer } from 'vite';
import { root } from './process.ts';
import { buildWeb } from './web-build.ts';

/** What the API answers; everything else is a page of the portal. */
const apiPaths = [
  '/v1',
  '/token',
  '/brand.css',
  '/sso',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
];

/**
 * Runs everything for work on it: the portal from its sources at PORT, where an edit shows at once, and the API behind it at the
 * port after that, which starts again when one of its files changes. Database and demo world are those of `npm start`.
 * @returns the exit code, once it was told to stop
 */
export async function dev(): Promise<number> {
  // The API refuses to be ready without a portal of its own.
  const built = await buildWeb();
  if (built !== 0) return built;
  const port = Number(process.env['PORT'] || 3000);
  const target = `http://127.0.0.1:${port + 1}`;
  const vite = await createServer({
    configFile: join(root, 'apps/web/vite.config.ts'),
    server: {
      host: process.env['HOST'] || '127.0.0.1',
      port,
      strictPort: true,
      // Every brand has a host of its own.
      allowedHosts: true,
      proxy: Object.fromEntries(apiPaths.map((path) => [path, { target, changeOrigin: false }])),
    },
  });
  // Vite's own would end this process at once, with the API still running.
  process.removeAllListeners('SIGTERM');
  const api = startApi(port + 1, process.env['PUBLIC_URL'] || `http://localhost:${port}`);
  const ended = once(api, 'exit');
  const stop = () => api.kill('SIGTERM');
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
  try {
    await vite.listen();
    process.stdout.write(`portal http://localhost:${port}, API ${target}\n`);
    await ended;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    stop();
    await ended;
    return 1;
  } finally {
    await vite.close();
  }
  return 0;
}

function startApi(port: number, publicUrl: string) {
  const preload = pathToFileURL(join(root, 'tools/end-with-parent.mjs')).href;
  const program = [join(root, 'apps/api/src/main.ts'), 'start'];
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', '--import', preload, ...program], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PORT: `${port}`, PUBLIC_URL: publicUrl },
  });
}
