import { readFile } from 'node:fs/promises';
import { compressed } from '../answers/compressed.ts';
import type { App } from '../app-type.ts';

/** Everything comes from here, and nothing stands in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECONDS = 60;
const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Served address, media type, and the file. */
const FILES = [
  ['/docs', HTML, import.meta.resolve('./page.html')],
  ['/docs/start.js', SCRIPT, import.meta.resolve('./start.js')],
  ['/docs/style.css', STYLE, import.meta.resolve('./style.css')],
  [
    '/docs/swagger-ui-bundle.js',
    SCRIPT,
    import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'),
  ],
  ['/docs/swagger-ui.css', STYLE, import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css')],
] as const;

/** `/docs`: the document of `/openapi.json` for people, as Swagger UI shows it. */
export function docsPage(app: App): void {
  for (const [url, type, file] of FILES) {
    app.get(url, { config: { access: 'public', hidden: true } }, async (request, reply) => {
      const text = await readFile(new URL(file), 'utf8');
      return reply
        .type(type)
        .header('content-security-policy', POLICY)
        .header('cache-control', `public, max-age=${SECONDS}`)
        .send(await compressed(text, request, reply));
    });
  }
}
