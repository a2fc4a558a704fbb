import { Readable } from 'node:stream';
import type { S3Client } from '@bradenmacdonald/s3-lite-client';
import { currentTracer, traced, watched } from '../tracing/spans.ts';
import { type FileStore, FilesUnavailable } from './file-store.ts';
import { checkedKey, isKey } from './keys.ts';

/** How a storage that speaks the protocol of S3 is reached. */
export interface S3Settings {
  /** Address of the server; undefined: Amazon's own, of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Four parts at most are on their way at once, each in memory until it has arrived. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Files in a bucket; several processes share it. The bucket is made by its owner, private, and takes unfinished uploads away by a
 * rule of its own.
 * @param url `s3://bucket/prefix`
 */
export function s3Store(url: URL, settings: S3Settings): FileStore {
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const nameOf = (key: string) => `${prefix === '' ? '' : `${prefix}/`}${checkedKey(key)}`;
  let opened: Promise<S3Client> | undefined;
  const openOnce = () => {
    opened ??= open(url.hostname, settings);
    return opened;
  };
  const use = <T>(call: string, work: (client: S3Client) => Promise<T>): Promise<T> =>
    traced('client', call, {}, async () =>
      work(await openOnce()).catch((error: unknown) => {
        throw toldOf(error, url);
      }),
    );
  const read: FileStore['read'] = (key) =>
    use('read file', async (client) => {
      const answer = await client.getObject(nameOf(key)).catch((error: unknown) => {
        if (codeOf(error) === 'NoSuchKey') return undefined;
        throw error;
      });
      if (answer?.body == null) return undefined;
      const content = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
      return { sizeBytes: Number(answer.headers.get('content-length')), content };
    });
  async function* listed() {
    const from = prefix === '' ? '' : `${prefix}/`;
    const client = await openOnce();
    try {
      // What somebody else keeps there is none of ours.
      for await (const { key, size, etag } of client.listObjects({ prefix: from }))
        if (isKey(key.slice(from.length)))
          yield { key: key.slice(from.length), sizeBytes: size, stamp: etag };
    } catch (error) {
      throw toldOf(error, url);
    }
  }
  return {
    async write(key, content) {
      let size = 0;
      async function* counted() {
        for await (const chunk of content) {
          size += chunk.length;
          // The library takes no subclass, which Node's buffers are, and keeps what it is given.
          yield new Uint8Array(chunk);
        }
      }
      // Nothing stands under the key before the last byte has come: small files in one call, others when all parts are confirmed.
      const stream = Readable.toWeb(Readable.from(counted())) as unknown as ReadableStream<Uint8Array>;
      await use('write file', (client) => client.putObject(nameOf(key), stream, { partSize: PART_BYTES }));
      return size;
    },
    read,
    delete: (key) => use('delete file', (client) => client.deleteObject(nameOf(key))),
    list() {
      const span = currentTracer()?.begin('client', 'list files', {});
      return span === undefined ? listed() : watched(span, listed());
    },
    // What a killed writer leaves are parts of an upload that is no file: the bucket's own rule removes them.
    removeUnfinished: async () => undefined,
    // Whether a key that is not there is said to be not there.
    fault: async () => {
      try {
        await read(NO_FILE);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}

const NO_FILE = 'no-such-file.txt';

/** Loaded when the first file is asked for: most installations keep files on a disk. */
async function open(bucket: string, settings: S3Settings): Promise<S3Client> {
  const { S3Client: Client } = await import('@bradenmacdonald/s3-lite-client');
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  return new Client({
    endPoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    // Other servers than Amazon's are seldom reached by a host name for each bucket.
    pathStyle: endpoint !== undefined,
    region,
    bucket,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** What went wrong at the storage, in plain words; a fault of what was being written is not the storage's. */
function toldOf(error: unknown, { hostname: bucket }: URL): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error) ?? '';
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  if (isUnreachable) return unavailable('the storage of FILES_URL cannot be reached', error);
  if (!('statusCode' in error)) return error;
  const why: Readonly<Record<string, string>> = {
    NoSuchBucket: `there is no bucket ${bucket} (FILES_URL)`,
    AccessDenied: `the keys may not use the bucket ${bucket} (FILES_URL)`,
    InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is not known there',
    SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID',
  };
  return unavailable(why[code] ?? `the storage of FILES_URL answered ${error.statusCode} ${code}`, error);
}

const unavailable = (why: string, cause: Error): FilesUnavailable => new FilesUnavailable(why, { cause });
