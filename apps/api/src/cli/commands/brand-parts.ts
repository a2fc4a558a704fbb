import { readFile } from 'node:fs/promises';
import { addBrandHost, removeBrandHost } from '../../features/admin/brand-hosts.ts';
import { type ImageKind, removeBrandImage, setBrandImage } from '../../features/admin/brand-images.ts';
import { neededNumber, noWords } from '../arguments/arguments.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { recordCommand, resellerOfBrand } from '../record-command.ts';
import { inTransaction } from '../with-runtime.ts';

export const hostCommand: Command = {
  usage: '--id <number> --add <name> [--main] | --remove <name>',
  details: ['The main host is the one that links in mails, receipts and reports carry.'],
  options: {
    id: { type: 'string', value: '<number>', help: 'the brand' },
    add: { type: 'string', value: '<name>', multiple: true, help: 'a host name such as bills.example.com' },
    main: { type: 'boolean', help: 'makes the (last) added one the main host' },
    remove: {
      type: 'string',
      value: '<name>',
      multiple: true,
      help: 'a host name that no longer shows this brand',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const [adds, removes] = [invocation.texts('add'), invocation.texts('remove')];
    if (adds.length + removes.length === 0) throw new UsageError('give --add or --remove');
    const done = await inTransaction(async (tx, { clock }) => {
      const changes: { host: string; is: string }[] = [];
      for (const name of removes) changes.push({ host: await removeBrandHost(tx, id, name), is: 'removed' });
      for (const [at, name] of adds.entries()) {
        const isMain = invocation.flag('main') && at === adds.length - 1;
        const { host, added } = await addBrandHost(tx, id, name, isMain);
        changes.push({ host, is: added === 'created' ? 'added' : 'there already' });
      }
      const made = changes.filter(({ is }) => is !== 'there already');
      const detail = { brand: id, hosts: made.map(({ host, is }) => `${host} ${is}`).join(', ') };
      const resellerId = await resellerOfBrand(tx, id);
      if (made.length > 0)
        await recordCommand(tx, clock.now(), { action: 'brand.changed', resellerId, detail });
      return changes;
    });
    invocation.print(
      { id, hosts: done },
      done.map(({ host, is }) => `Brand ${id}: ${host} ${is}.`),
    );
    return 0;
  },
};

export const imageCommand: Command = {
  usage: '--id <number> [--logo <file>] [--banner <file>] [--remove logo|banner]',
  options: {
    id: { type: 'string', value: '<number>', help: 'the brand' },
    logo: { type: 'string', value: '<file>', help: 'at most 200 kB; a mark without text looks best' },
    banner: { type: 'string', value: '<file>', help: 'at most 2 MB; stands beside the sign-in form' },
    remove: {
      type: 'string',
      value: '<kind>',
      multiple: true,
      help: "'logo' or 'banner': the default one instead",
    },
  },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const removes = invocation.texts('remove').map(imageKind);
    const files: { kind: ImageKind; content: Uint8Array }[] = [];
    for (const kind of ['logo', 'banner'] as const) {
      const path = invocation.text(kind);
      if (path !== undefined) files.push({ kind, content: await contentOf(path) });
    }
    if (files.length + removes.length === 0) throw new UsageError('give --logo, --banner or --remove');
    const done = await inTransaction(async (tx, { clock }) => {
      for (const kind of removes) await removeBrandImage(tx, id, kind);
      const stored: { kind: ImageKind; contentType: string }[] = [];
      for (const { kind, content } of files) {
        stored.push({ kind, contentType: await setBrandImage(tx, id, kind, content) });
      }
      const images = [
        ...stored.map(({ kind }) => `${kind} stored`),
        ...removes.map((kind) => `${kind} removed`),
      ].join(', ');
      const resellerId = await resellerOfBrand(tx, id);
      const detail = { brand: id, images };
      await recordCommand(tx, clock.now(), { action: 'brand.changed', resellerId, detail });
      return stored;
    });
    invocation.print({ id, stored: done, removed: removes }, [
      ...done.map(({ kind, contentType }) => `Brand ${id}: ${kind} stored (${contentType}).`),
      ...removes.map((kind) => `Brand ${id}: ${kind} removed.`),
    ]);
    return 0;
  },
};

function imageKind(text: string): ImageKind {
  if (text === 'logo' || text === 'banner') return text;
  throw new UsageError(`--remove takes logo or banner, not '${text}'`);
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch {
    throw new CommandError(`the file ${path} cannot be read`);
  }
}
