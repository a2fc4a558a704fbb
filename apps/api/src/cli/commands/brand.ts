import { storedBrandSettings } from '@counterfoil/contract/brand.ts';
import { MAIL_PLACEHOLDERS } from '@counterfoil/contract/mail-texts.ts';
import { addBrandHost } from '../../features/admin/brand-hosts.ts';
import { addBrand, type BrandChange, listBrands, setBrand } from '../../features/admin/brands.ts';
import { needed, neededNumber, noWords, optionalNumber, resellerOption } from '../arguments/arguments.ts';
import { type Command, type CommandOption, type Invocation, table, UsageError } from '../command.ts';
import { recordCommand, resellerOfBrand } from '../record-command.ts';
import { inTransaction, withRuntime } from '../with-runtime.ts';
import { hostCommand, imageCommand } from './brand-parts.ts';

const changeOptions: Readonly<Record<string, CommandOption>> = {
  name: { type: 'string', help: 'name of the brand' },
  ref: { type: 'string', help: 'your own reference of it, by which programs name it' },
  'company-name': { type: 'string', help: 'as it stands on receipts and the pay page (the name)' },
  colours: { type: 'string', value: '<c1,…,c7>', help: 'seven colours such as #3598db, separated by commas' },
  currency: { type: 'string', value: '<code>', help: 'ISO 4217 (USD)' },
  'time-zone': { type: 'string', value: '<zone>', help: 'for periods and due dates (UTC)' },
  setting: { type: 'string', value: '<name=value>', multiple: true, help: 'may be given several times' },
};
const settingNames = [
  'Settings, with true/false, a number, a text, or a list with commas:',
  `  ${Object.keys(storedBrandSettings.shape).join(', ')}.`,
  'A fee has members: --setting cardFee.basisPoints=150 --setting cardFee.fixedMinor=30 --setting cardFee.capMinor=500.',
  'A mail has its own words: --setting mailTexts.reset.subject="Your password at {companyName}"; subject, heading,',
  `text (a blank line begins a paragraph) and button of ${Object.keys(MAIL_PLACEHOLDERS).join(', ')}.`,
  'newSignIn, receipt.',
];

const changeOf = (invocation: Invocation): BrandChange => ({
  name: invocation.text('name'),
  reference: invocation.text('ref'),
  companyName: invocation.text('company-name'),
  colours: invocation.text('colours')?.split(','),
  currency: invocation.text('currency'),
  timeZone: invocation.text('time-zone'),
  settings: invocation.texts('setting'),
});

/** What was changed to what, for the audit trail. */
const wordsOf = (change: BrandChange): Record<string, string> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]: [string, string | readonly string[] | undefined]) =>
      value === undefined || value.length === 0
        ? []
        : [[name, typeof value === 'string' ? value : value.join(' ')]],
    ),
  );

const add: Command = {
  usage: '--reseller <id> --name <text> [--host <name>] …',
  details: settingNames,
  options: {
    ...resellerOption,
    id: { type: 'string', value: '<number>', help: 'its number (the next free one)' },
    ...changeOptions,
    host: {
      type: 'string',
      value: '<name>',
      multiple: true,
      help: 'host name that shows this brand; the first is the main one',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const id = optionalNumber(invocation, 'id');
    const name = needed(invocation, 'name');
    const { brand, hosts } = await inTransaction(async (tx, { clock }) => {
      const made = await addBrand(tx, { ...changeOf(invocation), id, resellerId, name });
      const names: string[] = [];
      let isNew = made.added === 'created';
      for (const text of invocation.texts('host')) {
        const { host, added } = await addBrandHost(tx, made.id, text, false);
        names.push(host);
        isNew ||= added === 'created';
      }
      const detail = { brand: made.id, name, hosts: names.join(' ') };
      if (isNew) {
        await recordCommand(tx, clock.now(), { action: 'brand.added', resellerId, detail });
      }
      return { brand: made, hosts: names };
    });
    invocation.print({ ...brand, resellerId, name, hosts }, [
      brand.added === 'created'
        ? `Brand ${brand.id} '${name}' created.`
        : `Brand ${brand.id} is there already.`,
      ...hosts.map((host) => `  host ${host}`),
    ]);
    return 0;
  },
};

const set: Command = {
  usage: '--id <number> [--colours <c1,…,c7>] [--setting <name=value>] …',
  details: settingNames,
  options: { id: { type: 'string', value: '<number>', help: 'the brand' }, ...changeOptions },
  async run(invocation) {
    noWords(invocation);
    const id = neededNumber(invocation, 'id');
    const change = changeOf(invocation);
    if (Object.values(change).every((part) => part === undefined || part.length === 0)) {
      throw new UsageError('nothing to change');
    }
    await inTransaction(async (tx, { clock }) => {
      await setBrand(tx, id, change);
      const resellerId = await resellerOfBrand(tx, id);
      const detail = { brand: id, ...wordsOf(change) };
      await recordCommand(tx, clock.now(), { action: 'brand.changed', resellerId, detail });
    });
    invocation.print({ id, changed: true }, [`Brand ${id} changed.`]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>]',
  options: { ...resellerOption },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const rows = await withRuntime(({ databases }) => listBrands(databases.web, resellerId));
    invocation.print(
      { brands: rows },
      table(
        ['id', 'reseller', 'name', 'currency', 'time zone', 'images', 'hosts'],
        rows.map((row) => [
          `${row.id}`,
          `${row.reseller_id}`,
          row.name,
          row.currency,
          row.time_zone,
          row.images.join(' ') || 'default',
          row.hosts.join(' ') || 'none',
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, set, host: hostCommand, image: imageCommand, list };
