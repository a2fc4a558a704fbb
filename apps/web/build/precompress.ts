import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const compressible = /\.(?:js|css|svg|json|txt|webmanifest)$/;

/**
 * Writes `<file>.br` (quality 11) and `<file>.gz` beside each text asset, for a server that sends
 * precompressed files. HTML is left out: the server fills its placeholders on every request.
 */
export function precompress(): Plugin {
  return {
    name: 'counterfoil-precompress',
    apply: 'build',
    async writeBundle(options, bundle) {
      const root = options.dir;
      if (root === undefined) return;
      await Promise.all(
        Object.keys(bundle)
          .filter((file) => compressible.test(file))
          .map((file) => compressFile(join(root, file))),
      );
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const source = await readFile(path);
  const [br, gz] = await Promise.all([
    toBrotli(source, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    toGzip(source, { level: 9 }),
  ]);
  // A compressed file that is not smaller would only cost the browser time.
  if (br.length < source.length) await writeFile(`${path}.br`, br);
  if (gz.length < source.length) await writeFile(`${path}.gz`, gz);
}
