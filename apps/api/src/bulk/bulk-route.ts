import type { Readable } from 'node:stream';
import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import { AppError } from '../app-error.ts';
import { actedBy } from '../audit/acted-by.ts';
import { type Spool, spool } from '../files/spool.ts';
import type { App } from '../http/app-type.ts';
import { programOf } from '../http/guards/access.ts';
import { Slots } from '../limits/slots.ts';
import { type BulkDeps, type BulkKind, linesOfNdjson, putInBulk } from './bulk.ts';
import { LineAnswer } from './line-answer.ts';

const NDJSON = 'application/x-ndjson';
/** Some 500,000 customers. */
const MOST_BYTES = 128 * 1024 ** 2;
/** Each holds a connection for as long as it takes; others need some too. */
const AT_ONCE = { atOnce: 2, each: 2 };
const refusals: readonly ErrorCode[] = [
  'bulk.running',
  'request.tooLarge',
  'request.mediaType',
  'server.uploading',
];

export interface BulkRouteDeps extends BulkDeps {
  /** Where files are received. */
  readonly folder: string;
  /** Shared by all bulk calls of the process. */
  readonly slots: Slots;
}

/** How many files may be worked through at once in this process. */
export const bulkSlots = (): Slots =>
  new Slots({ ...AT_ONCE, tooManyOfOne: 'bulk.running', tooManyOfAll: 'server.uploading' });

/** What the document says of one bulk call. */
export interface BulkRoute {
  readonly path: string;
  readonly scope: ApiScope;
  readonly tags: string[];
  readonly operationId: string;
  readonly summary: string;
  /** Of a line, with an example. */
  readonly line: string;
}

/** A call that takes many things of a kind, a line for each, and answers with a line for each. */
export function bulkRoute<Write extends { readonly reference: string }>(
  app: App,
  deps: BulkRouteDeps,
  kind: BulkKind<Write>,
  { path, scope, line, ...said }: BulkRoute,
): void {
  void app.register((scoped: App, _options: object, ready: () => void) => {
    scoped.removeAllContentTypeParsers();
    // A function, so that nothing on the way takes the stream for a value and looks into it.
    scoped.addContentTypeParser(NDJSON, (_request, payload, done) => {
      done(null, () => payload);
    });
    scoped.post(
      path,
      {
        config: { access: 'program', scope, takesFile: [NDJSON], refusals },
        schema: {
          ...said,
          description: [
            `The body is NDJSON, at most 128 MiB and 65,536 characters a line. ${line}`,
            'The answer is NDJSON in the order of the lines: `line`, `reference`, `status` (`created`, `changed`, `unchanged`, `removed` or `refused`), with `id`, or with `code`, `message` and `errors`. What a line says is kept. One bad line harms no other, and the same file again changes nothing. An answer that breaks off leaves the rest undone: send the file again.',
            'One file of a kind and reseller at a time: a second one waits for ten seconds and is then refused with `bulk.running`.',
          ].join('\n\n'),
          produces: [NDJSON],
        },
      },
      async (request, reply) => {
        const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
        if (typeof request.body !== 'function' || request.headers['content-encoding'] !== undefined)
          throw new AppError('request.mediaType');
        const release = deps.slots.take(String(of.resellerId));
        const content = (request.body as () => Readable)();
        const answer = new LineAnswer();
        const work = async (): Promise<void> => {
          let kept: Spool | undefined;
          try {
            kept = await spool(deps.folder, content, MOST_BYTES, () => new AppError('request.tooLarge'));
            await putInBulk(deps, kind, of, linesOfNdjson(kept.read()), (results) => answer.write(results));
          } finally {
            release();
            await kept?.close();
          }
        };
        answer.follow(work());
        // Until then: what is refused as a whole is refused with its status.
        await answer.begun;
        if (reply.raw.headersSent) {
          // It took too long to begin, and the client was told so.
          answer.lines.destroy();
          return reply;
        }
        return reply.type(NDJSON).send(answer.lines);
      },
    );
    ready();
  });
}
