import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../app-error.ts';
import type { App } from '../../../http/app-type.ts';
import type { UploadedFile } from './upload.ts';

/** Kinds of files by their content type, and what usage records of that kind are read as; else their mapping says it. */
export type FileKinds = Readonly<Record<string, UploadedFile['format']>>;

export const usageKinds: FileKinds = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/gzip': undefined,
};
/** Documents too, and what a browser does not know. */
export const allKinds: FileKinds = {
  ...usageKinds,
  'application/xml': undefined,
  'application/pdf': undefined,
  'text/xml': undefined,
  'application/octet-stream': undefined,
};

/** Has the routes of a scope get the body as it comes. */
export function takeFiles(scoped: App, kinds: FileKinds): void {
  scoped.removeAllContentTypeParsers();
  // A function, so that nothing on the way takes the stream for a value and looks into it.
  scoped.addContentTypeParser(Object.keys(kinds), (_request, payload, done) => {
    done(null, () => payload);
  });
}

/** The file that a request brings. @throws {AppError} request.mediaType */
export function receivedFile({ body, headers }: FastifyRequest, kinds: FileKinds): UploadedFile {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const coding = headers['content-encoding'];
  if (
    typeof body !== 'function' ||
    !Object.hasOwn(kinds, type) ||
    (coding !== undefined && coding !== 'gzip')
  )
    throw new AppError('request.mediaType');
  return {
    content: (body as () => Readable)(),
    isGzip: coding === 'gzip' || type === 'application/gzip',
    format: kinds[type],
  };
}
