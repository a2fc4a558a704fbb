import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/**
 * What `copy … to stdout` writes, as a stream. The driver's watch over long statements is told when it ends: the stream
 * does not tell it, and minutes later it would raise an error on a stream that nobody has any more.
 * @param text the whole statement
 */
export function copyOut(client: pg.ClientBase, text: string): Readable {
  const stream = client.query(copyTo(text)) as Readable & { callback?: () => void };
  stream.once('close', () => stream.callback?.());
  return stream;
}
