import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import { hasDemo } from '../../../demo/marks.ts';
import { addReseller, listResellers, setReseller } from '../../../features/admin/resellers.ts';
import { needed, neededNumber, noWords } from '../../arguments/arguments.ts';
import { type Command, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const settingOption = {
  setting: { type: 'string', value: '<name=value>', multiple: true, help: 'may be given several times' },
} as const;
const settingNames = `Settings: ${Object.keys(storedResellerSettings.shape).join(', ')}.`;

const add: Command = {
  usage: '--id <number> --name <text>',
  details: [settingNames],
  options: {
    id: { type: 'string', value: '<number>', help: 'its number; stands in webhook addresses' },
    name: { type: 'string', help: 'shown in the header after sign-in' },
    ...settingOption,
  },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const name = needed(invocation, 'name');
    const settings = invocation.texts('setting');
    const { added, isBesideDemo } = await inTransaction(async (tx, { clock }) => {
      const done = await addReseller(tx, { id, name, settings });
      const event = { action: 'reseller.added', resellerId: id, detail: { name } } as const;
      if (done === 'created') await recordCommand(tx, clock.now(), event);
      return { added: done, isBesideDemo: await hasDemo(tx) };
    });
    invocation.print({ id, name, added }, [
      added === 'created' ? `Reseller ${id} '${name}' created.` : `Reseller ${id} is there already.`,
      ...(isBesideDemo
        ? ["The demo world is here too: from now on start with DEMO=0; 'demo remove' takes it out."]
        : []),
    ]);
    return 0;
  },
};

const set: Command = {
  usage: '--id <number> [--name <text>] [--ref <text>] [--setting <name=value>]',
  details: [settingNames],
  options: {
    id: { type: 'string', value: '<number>', help: 'the reseller' },
    name: { type: 'string', help: 'a new name' },
    ref: { type: 'string', help: 'the reference by which programs put it (operator API)' },
    ...settingOption,
  },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const [name, reference] = [invocation.text('name'), invocation.text('ref')];
    const change = { name, reference, settings: invocation.texts('setting') };
    if ((name ?? reference) === undefined && change.settings.length === 0)
      throw new UsageError('nothing to change');
    await inTransaction(async (tx, { clock }) => {
      await setReseller(tx, id, change);
      const detail = {
        name: name ?? null,
        settings: change.settings.join(' '),
        ...(reference && { reference }),
      };
      await recordCommand(tx, clock.now(), { action: 'reseller.changed', resellerId: id, detail });
    });
    invocation.print({ id, changed: true }, [`Reseller ${id} changed.`]);
    return 0;
  },
};

const list: Command = {
  usage: '',
  options: {},
  async run(invocation) {
    noWords(invocation);
    const rows = await withRuntime(({ databases }) => listResellers(databases.web));
    invocation.print(
      { resellers: rows },
      table(
        ['id', 'name', 'brands', 'customers', 'gateway'],
        rows.map((row) => [
          `${row.id}`,
          row.name,
          `${row.brands}`,
          `${row.customers}`,
          row.gateway ?? 'none',
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, set, list };
