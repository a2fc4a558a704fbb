import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { BulkCustomerResult } from '@counterfoil/contract/operator/admin-customers.ts';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import { type Spool, spool } from '../../files/spool.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { Slots } from '../../limits/slots.ts';
import { type BulkDeps, putCustomersInBulk } from './bulk.ts';

const NDJSON = 'application/x-ndjson';
/** Some 500,000 customers. */
const MOST_BYTES = 128 * 1024 ** 2;
/** Each holds a connection for as long as it takes; others need some too. */
const AT_ONCE = { atOnce: 2, each: 2 };

/** Customers in bulk, for a provider's programs. */
export function customerBulkRoutes(app: App, deps: BulkDeps & { readonly folder: string }): void {
  const slots = new Slots({
    ...AT_ONCE,
    tooManyOfOne: 'customer.bulkRunning',
    tooManyOfAll: 'server.uploading',
  });
  void app.register((scoped: App, _options: object, ready: () => void) => {
    scoped.removeAllContentTypeParsers();
    // A function, so that nothing on the way takes the stream for a value and looks into it.
    scoped.addContentTypeParser(NDJSON, (_request, payload, done) => {
      done(null, () => payload);
    });
    scoped.post(
      '/v1/admin/customers/bulk',
      {
        config: {
          access: 'program',
          scope: 'customers:write',
          takesFile: [NDJSON],
          refusals: ['customer.bulkRunning', 'request.tooLarge', 'request.mediaType', 'server.uploading'],
        },
        schema: {
          tags: ['customers of a provider'],
          operationId: 'putCustomersInBulk',
          summary: 'Makes or changes many customers: a line in for each, a line out for each',
          description: [
            'The body is NDJSON, at most 128 MiB and 65,536 characters a line. Each line is the body of `putCustomer` with `reference` beside it; it is taken whatever state the customer is in, and the same again changes nothing.',
            '```\n{"reference":"C-1","label":"Harbour Office","email":"bills@harbour.example"}\n```',
            'The answer is NDJSON in the order of the lines: `line`, `reference`, `status` (`created`, `changed`, `unchanged` or `refused`), with `id` and `version`, or with `code`, `message` and `errors`. What a line says is kept. One bad line harms no other. An answer that breaks off leaves the rest undone: send the file again.',
            'One file of a reseller at a time: a second one waits for ten seconds and is then refused with `customer.bulkRunning`.',
          ].join('\n\n'),
          produces: [NDJSON],
        },
      },
      async (request, reply) => {
        const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
        if (typeof request.body !== 'function' || request.headers['content-encoding'] !== undefined)
          throw new AppError('request.mediaType');
        const release = slots.take(String(of.resellerId));
        const content = (request.body as () => Readable)();
        const answer = new LineAnswer();
        const work = async (): Promise<void> => {
          let kept: Spool | undefined;
          try {
            kept = await spool(deps.folder, content, MOST_BYTES, () => new AppError('request.tooLarge'));
            await putCustomersInBulk(deps, of, kept.read(), (results) => answer.write(results));
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

/** Lines that are sent as they come, no faster than they are read. */
class LineAnswer {
  readonly lines = new PassThrough();
  readonly #begun = Promise.withResolvers<void>();
  readonly #gone = new AbortController();

  constructor() {
    this.lines.once('close', () => this.#gone.abort());
    // Whoever sends them listens as well; until then an end with an error is nobody's fault.
    this.lines.on('error', () => undefined);
  }

  /** Settles with the first line, with the end of the work, or with what it threw before. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Ends with the work; where that throws after the first line, it breaks off, so that it shows. */
  follow(work: Promise<void>): void {
    work.then(
      () => {
        this.#begun.resolve();
        this.lines.end();
      },
      (error: unknown) => {
        this.#begun.reject(error);
        this.lines.destroy(error instanceof Error ? error : undefined);
      },
    );
  }

  /** @throws {Error} when nobody reads them any more */
  async write(results: readonly BulkCustomerResult[]): Promise<void> {
    this.#gone.signal.throwIfAborted();
    const isRoom = this.lines.write(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
    this.#begun.resolve();
    if (!isRoom) await once(this.lines, 'drain', { signal: this.#gone.signal });
  }
}
