import {
  addCustomer,
  addIdentities,
  type CustomerIdentity,
  listCustomers,
} from '../../../features/admin/customers.ts';
import { findCustomerNamed } from '../../../features/admin/queries.ts';
import {
  customerOption,
  limitOf,
  limitOption,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const identityOptions = {
  endpoint: 'endpoint',
  'legal-id': 'legalId',
  'account-code': 'accountCode',
  'known-as': 'name',
} as const satisfies Record<string, CustomerIdentity['kind']>;

const knownBy = {
  endpoint: {
    type: 'string',
    value: '<scheme:id>',
    multiple: true,
    help: 'electronic address in e-invoices, e.g. 0088:7300010000001',
  },
  'legal-id': { type: 'string', value: '<id>', multiple: true, help: 'registration number in e-invoices' },
  'account-code': {
    type: 'string',
    multiple: true,
    help: 'account code, or number of a line, in call records',
  },
  'known-as': { type: 'string', value: '<name>', multiple: true, help: 'another name in e-invoices' },
} as const;

const add: Command = {
  usage: '--reseller <id> --label <name> [--ref <text>] …',
  details: ['With --ref the same again changes nothing. Imports find a customer by what is given here.'],
  options: {
    ...resellerOption,
    label: { type: 'string', value: '<name>', help: 'its name, also that in the customer selector' },
    ref: { type: 'string', help: 'your own number of it, unique within the reseller' },
    brand: { type: 'string', value: '<id>', help: 'its brand (the reseller’s first)' },
    email: { type: 'string', value: '<address>', help: 'where receipts and notices go' },
    country: { type: 'string', value: '<code>', help: 'ISO 3166-1, two letters' },
    address: { type: 'string', value: '<line>', multiple: true, help: 'a line of its postal address' },
    city: { type: 'string', help: 'of that address' },
    'postal-code': { type: 'string', help: 'of that address' },
    region: { type: 'string', help: 'of that address: state, province' },
    ...knownBy,
  },
  async run(invocation) {
    noWords(invocation);
    const wanted = {
      resellerId: neededNumber(invocation, 'reseller'),
      label: needed(invocation, 'label'),
      brandId: optionalNumber(invocation, 'brand'),
      externalRef: invocation.text('ref'),
      email: invocation.text('email'),
      country: invocation.text('country'),
      address: {
        lines: invocation.texts('address'),
        city: invocation.text('city'),
        postalCode: invocation.text('postal-code'),
        region: invocation.text('region'),
      },
      identities: identitiesOf(invocation),
    };
    const made = await inTransaction(async (tx, { clock }) => {
      const done = await addCustomer(tx, wanted, clock.now());
      const about = { resellerId: wanted.resellerId, customerId: done.id, detail: { label: wanted.label } };
      if (done.added === 'created') {
        await recordCommand(tx, clock.now(), { action: 'customer.added', ...about });
      }
      return done;
    });
    invocation.print({ ...made, label: wanted.label, resellerId: wanted.resellerId }, [
      made.added === 'created' ? `Customer '${wanted.label}' created.` : 'The customer is there already.',
      `id ${made.id}`,
    ]);
    return 0;
  },
};

const identitiesOf = (invocation: Invocation): readonly CustomerIdentity[] =>
  Object.entries(identityOptions).flatMap(([option, kind]) =>
    invocation.texts(option).map((value) => ({ kind, value })),
  );

const set: Command = {
  usage: '--customer <id or ref> [--account-code <text>] [--endpoint <scheme:id>] …',
  details: ['What waits in quarantine for it goes in by itself, or at once by quarantine retry.'],
  options: { ...resellerOption, ...customerOption, ...knownBy },
  async run(invocation) {
    noWords(invocation);
    const name = needed(invocation, 'customer');
    const resellerId = optionalNumber(invocation, 'reseller');
    const identities = identitiesOf(invocation);
    if (identities.length === 0)
      throw new UsageError('by what? Give --account-code, --endpoint, --legal-id or --known-as');
    const done = await inTransaction(async (tx, { clock }) => {
      const found = await findCustomerNamed(tx, name, resellerId);
      if (typeof found === 'string') throw new CommandError(found);
      const added = await addIdentities(tx, found.resellerId, found.customerId, identities);
      const detail = { knownBy: added.map(({ kind, value }) => `${kind} ${value}`).join(', ') };
      if (added.length > 0)
        await recordCommand(tx, clock.now(), { action: 'customer.changed', ...found, detail });
      return { ...found, added };
    });
    invocation.print({ id: done.customerId, resellerId: done.resellerId, added: done.added }, [
      done.added.length === 0
        ? 'The customer is known by that already.'
        : `The customer is known by ${done.added.length} more.`,
    ]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>] [--limit <n>]',
  options: { ...resellerOption, ...limitOption },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const limit = limitOf(invocation);
    const rows = await withRuntime(({ databases }) => listCustomers(databases.web, resellerId, limit));
    invocation.print(
      { customers: rows },
      table(
        ['id', 'reseller', 'brand', 'users', 'ref', 'label'],
        rows.map((row) => [
          row.customer_id,
          `${row.reseller_id}`,
          `${row.brand_id ?? 'first'}`,
          `${row.users}`,
          row.external_ref ?? '',
          row.label,
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, set, list };
