/** HTTP in front of the gateways' sandboxes: reads a request, finds the sandbox, sends or breaks the answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { control } from './control.ts';
import type { SandboxReply } from './gateway-sandbox.ts';
import type { OpenHost } from './host.ts';
import { corsHeaders } from './origins.ts';

const largestBody = 1024 * 1024;

/**
 * Makes the server; it does not listen yet. Requests that come before the host is open wait for it.
 * @param report told of faults of the sandbox itself, never with what a request contained
 */
export function createSandboxServer(opening: Promise<OpenHost>, report: (fault: object) => void): Server {
  const hanging = new Set<ServerResponse>();
  const ready = opening.then((host) => {
    host.faults.onClear(() => {
      for (const response of hanging) response.socket?.destroy();
    });
    return host;
  });
  // Whoever opens the host hears of its failure; here only requests wait for it.
  ready.catch(() => undefined);
  const server = createServer((request, response) => {
    const answered = ready.then((host) => answer(host, hanging, request, response));
    answered.catch((cause: unknown) => {
      report({ method: request.method, path: request.url?.split('?', 1)[0], cause: describe(cause) });
      if (!response.headersSent) json(response, 500, { error: { message: 'The sandbox failed.' } });
      else response.destroy();
    });
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

async function answer(
  host: OpenHost,
  hanging: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2);
  const cors = corsHeaders(request.headers.origin, host.portalOrigins, host.browserHeaders);
  if (method === 'OPTIONS') {
    response.writeHead(204, cors).end();
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    json(response, 413, { error: { message: 'The request body is too large.' } }, cors);
    return;
  }
  if (path === '/_sandbox' || path.startsWith('/_sandbox/')) {
    // Another site's page must not be able to pull these switches: a browser sends Origin, tools do not.
    if (request.headers.origin !== undefined && cors['access-control-allow-origin'] === undefined) {
      json(response, 403, { error: 'This origin may not use the sandbox' });
      return;
    }
    const done = await control(host, method, path, new URLSearchParams(query), body.toString('utf8'));
    json(response, done.status, done.body, cors);
    return;
  }
  const mount = host.mounts.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  if (mount === undefined) {
    json(response, 404, { error: { message: `No sandbox answers ${method} ${path}.` } }, cors);
    return;
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  const reply = await mount.instance.handle({ method, path, query, headers, body });
  send(reply, response, { hanging, hangMs: host.settings.hangMs }, cors);
}

function send(
  reply: SandboxReply,
  response: ServerResponse,
  { hanging, hangMs }: { readonly hanging: Set<ServerResponse>; readonly hangMs: number },
  cors: Record<string, string>,
): void {
  switch (reply.kind) {
    case 'answer':
      response
        .writeHead(reply.status, {
          ...cors,
          ...reply.headers,
          'content-length': String(Buffer.byteLength(reply.body)),
        })
        .end(reply.body);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang': {
      hanging.add(response);
      const giveUp = setTimeout(() => response.socket?.destroy(), hangMs);
      giveUp.unref();
      response.on('close', () => {
        clearTimeout(giveUp);
        hanging.delete(response);
      });
      return;
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // The rest is read and dropped, so that the answer arrives instead of a broken pipe.
    if (size <= largestBody) parts.push(part);
  }
  return size > largestBody ? undefined : Buffer.concat(parts);
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    })
    .end(text);
}

/** The stack names places in the code; the message may quote what was sent. */
function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.name) : typeof cause;
}
