import {
  findMapping,
  listMappings,
  readMappingFile,
  removeMapping,
  storeMapping,
} from '../../../features/imports/mappings/find-mapping.ts';
import { needed, neededNumber, noWords, resellerOption } from '../../arguments/arguments.ts';
import { type Command, CommandError, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const named = { ...resellerOption, name: { type: 'string', value: '<name>', help: 'the mapping' } } as const;

const add: Command = {
  usage: '--reseller <id> <file.json>',
  details: ['docs/importing.md explains what stands in it, by example.'],
  options: resellerOption,
  async run(invocation) {
    const resellerId = neededNumber(invocation, 'reseller');
    const [path, ...more] = invocation.positionals;
    if (path === undefined || more.length > 0) throw new UsageError('which file?');
    const mapping = await readMappingFile(path);
    if (typeof mapping === 'string') throw new CommandError(mapping);
    const { name } = mapping;
    await inTransaction(async (tx, { clock }) => {
      await storeMapping(tx, resellerId, mapping, clock.now());
      await recordCommand(tx, clock.now(), { action: 'usageMapping.set', resellerId, detail: { name } });
    });
    invocation.print({ resellerId, name }, [`Mapping '${name}' stored.`]);
    return 0;
  },
};

const remove: Command = {
  usage: '--reseller <id> --name <name>',
  options: named,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const name = needed(invocation, 'name');
    await inTransaction(async (tx, { clock }) => {
      if (!(await removeMapping(tx, resellerId, name)))
        throw new CommandError(`reseller ${resellerId} has stored no mapping '${name}'`);
      await recordCommand(tx, clock.now(), { action: 'usageMapping.removed', resellerId, detail: { name } });
    });
    invocation.print({ resellerId, name, removed: true }, [`Mapping '${name}' removed.`]);
    return 0;
  },
};

const show: Command = {
  usage: '--reseller <id> --name <name>',
  options: named,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const name = needed(invocation, 'name');
    const mapping = await withRuntime(({ databases }) => findMapping(databases.web, resellerId, name));
    if (mapping === undefined) throw new CommandError(`there is no mapping '${name}'`);
    invocation.print(mapping, [JSON.stringify(mapping, null, 2)]);
    return 0;
  },
};

const list: Command = {
  usage: '--reseller <id>',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const mappings = await withRuntime(({ databases }) => listMappings(databases.web, resellerId));
    const rows = mappings.map(({ name, format, title, isOwn }) => [
      name,
      format,
      isOwn ? 'own' : 'ready',
      title,
    ]);
    invocation.print({ mappings }, table(['name', 'format', 'whose', 'title'], rows));
    return 0;
  },
};

export const actions = { list, show, add, remove };
