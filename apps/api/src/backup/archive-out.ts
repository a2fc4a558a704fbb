import { createTarPacker } from 'modern-tar';

/** Where the parts of a backup go, one after another. */
export interface ArchiveOut {
  /** Bytes of the archive, for whoever writes them away. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Adds a part. Waits while the reader is slow. @throws {Error} where fewer or more bytes come than were said */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>;
  finish(): void;
  fail(error: unknown): void;
}

/** A tar archive (POSIX), which every system can open. */
export function archiveOut(): ArchiveOut {
  const { readable, controller } = createTarPacker();
  return {
    readable,
    async add(name, size, content) {
      const writer = controller
        .add({ name, size, type: 'file', mode: 0o600, mtime: new Date(0) })
        .getWriter();
      const pieces = content instanceof Uint8Array ? [content] : content;
      for await (const piece of pieces) await writer.write(plain(piece));
      await writer.close();
    },
    finish: () => controller.finalize(),
    fail: (error) => controller.error(error),
  };
}

/** The library takes no subclass, which Node's buffers are. */
const plain = (piece: Uint8Array): Uint8Array =>
  new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
