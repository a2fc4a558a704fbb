/**
 * The gateway sandbox as a process of its own. Prints one JSON line with its address once it listens:
 * `{"sandbox":"http://127.0.0.1:4010","port":4010}`. It ends with its parent and on SIGTERM.
 *
 * Environment: SANDBOX_PORT (4010, 0 for any), SANDBOX_HOST (127.0.0.1), SANDBOX_DIR (.data/sandbox),
 * SANDBOX_URL (address in links), PORTAL_ORIGINS (patterns, comma-separated), SANDBOX_WEBHOOKS (JSON list of
 * {gateway, url, secret, account?}), SANDBOX_PARENT=stdin (end when standard input closes).
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sandboxes } from '@counterfoil/gateways/sandbox-registry.ts';
import { registerWebhook } from '@counterfoil/sandbox/control.ts';
import { type OpenHost, openHost } from '@counterfoil/sandbox/host.ts';
import { createSandboxServer } from '@counterfoil/sandbox/server.ts';
import { readSettings } from './settings.ts';

// What is created from now on is its owner's alone.
process.umask(0o077);
const settings = readSettings(process.env);
const opening = Promise.withResolvers<OpenHost>();
const server = createSandboxServer(opening.promise, (fault) => {
  process.stderr.write(`${JSON.stringify({ level: 'error', ...fault })}\n`);
});

// The port comes first: it says that no other sandbox is at work here before a journal is touched.
server.listen(settings.port, settings.host);
try {
  await once(server, 'listening');
} catch (cause) {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  process.stderr.write(`sandbox: cannot listen on ${settings.host}:${settings.port} (${why})\n`);
  process.exit(1);
}
const { port } = server.address() as AddressInfo;
const publicUrl = settings.publicUrl ?? `http://127.0.0.1:${port}`;
const host = await openHost({
  directory: settings.directory,
  publicUrl,
  portalOrigins: settings.portalOrigins,
  sandboxes,
});
for (const webhook of settings.webhooks) await registerWebhook(host, webhook);
opening.resolve(host);

let ending = false;
/** Stops at once: what was answered is on disk already, what was not may be asked again. */
function end(): void {
  if (ending) return;
  ending = true;
  server.close();
  server.closeAllConnections();
  host.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
process.on('SIGTERM', end);
process.on('SIGINT', end);
process.on('disconnect', end);
if (process.env['SANDBOX_PARENT'] === 'stdin') {
  process.stdin.on('end', end).on('close', end);
  process.stdin.resume();
}
process.stdout.write(`${JSON.stringify({ sandbox: publicUrl, port })}\n`);
