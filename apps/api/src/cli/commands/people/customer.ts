import {
  type AdminCustomer,
  type CustomerValues,
  customerStates,
  customerValues,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import * as z from 'zod/mini';
import { AppError } from '../../../app-error.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import type { Tx } from '../../../db/database.ts';
import { findCustomerNamed } from '../../../features/admin/queries.ts';
import { findCustomer, listCustomers } from '../../../features/customers/queries.ts';
import {
  addCustomer,
  addIdentities,
  type CustomerIdentity,
  changeCustomer,
  presentCustomer,
  setCustomerActive,
} from '../../../features/customers/service.ts';
import {
  customerOption,
  limitOf,
  limitOption,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor, recordCommand } from '../../record-command.ts';
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

/** What is kept of a customer beside its name. */
const keptOptions = {
  brand: { type: 'string', value: '<id>', help: 'its brand (the reseller’s first)' },
  email: { type: 'string', value: '<address>', help: 'where receipts and notices go' },
  country: { type: 'string', value: '<code>', help: 'ISO 3166-1, two letters' },
  address: { type: 'string', value: '<line>', multiple: true, help: 'a line of its postal address' },
  city: { type: 'string', help: 'of that address' },
  'postal-code': { type: 'string', help: 'of that address' },
  region: { type: 'string', help: 'of that address: state, province' },
} as const;

const add: Command = {
  usage: '--reseller <id> --label <name> [--ref <text>] …',
  details: ['With --ref the same again changes nothing. Imports find a customer by what is given here.'],
  options: {
    ...resellerOption,
    label: { type: 'string', value: '<name>', help: 'its name, also that in the customer selector' },
    ref: { type: 'string', help: 'your own number of it, unique within the reseller' },
    ...keptOptions,
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
  usage: '--customer <id or ref> [--label <name>] [--email <address>] … [--account-code <text>] …',
  details: [
    'An empty value takes --email, --country, --brand or a part of the address away; --address replaces all its lines.',
    'What waits in quarantine for it goes in by itself, or at once by quarantine retry.',
  ],
  options: {
    ...resellerOption,
    ...customerOption,
    label: { type: 'string', value: '<name>', help: 'a new name' },
    ...keptOptions,
    ...knownBy,
  },
  async run(invocation) {
    noWords(invocation);
    const identities = identitiesOf(invocation);
    const given = changeOf(invocation);
    if (identities.length === 0 && Object.keys(given).length === 0)
      throw new UsageError('nothing to change; customer set --help names what can be');
    const done = await onCustomer(invocation, async (tx, found, now) => {
      const before = await findCustomer(tx, found.resellerId, found.customerId);
      if (before === undefined) throw new AppError('customer.notFound');
      const values = readValues(given, presentCustomer(before));
      const written = await changeCustomer(tx, found, values, commandBy(), now);
      const added = await addIdentities(tx, found.resellerId, found.customerId, identities);
      const detail = { knownBy: added.map(({ kind, value }) => `${kind} ${value}`).join(', ') };
      if (added.length > 0) await recordCommand(tx, now, { action: 'customer.changed', ...found, detail });
      return { ...written, added };
    });
    const { row, outcome, added } = done;
    invocation.print({ ...presentCustomer(row), resellerId: row.reseller_id, outcome, added }, [
      outcome === 'changed' ? `Customer '${row.label}' changed.` : `Customer '${row.label}' is as it was.`,
      ...(identities.length === 0
        ? []
        : [
            added.length === 0
              ? 'The customer is known by that already.'
              : `The customer is known by ${added.length} more.`,
          ]),
    ]);
    return 0;
  },
};

/** What `customer set` says of the kept values, as it is typed; an empty text takes a value away. */
function changeOf(invocation: Invocation): Readonly<Record<string, unknown>> {
  const text = (name: string) => {
    const value = invocation.text(name);
    return value === undefined ? [] : [[name, value.trim() === '' ? null : value] as const];
  };
  const lines = invocation.texts('address');
  return Object.fromEntries([
    ...['label', 'email', 'country', 'brand', 'city', 'postal-code', 'region'].flatMap(text),
    ...(lines.length === 0 ? [] : [['address', lines.filter((one) => one.trim() !== '')] as const]),
  ]);
}

/** @throws {UsageError} for a value that a customer cannot have */
function readValues(given: Readonly<Record<string, unknown>>, before: AdminCustomer): CustomerValues {
  const named = <T>(name: string, was: T): unknown => (name in given ? given[name] : was);
  const country = named('country', before.country);
  const brand = named('brand', before.brandId);
  const read = z.safeParse(customerValues, {
    label: named('label', before.label),
    email: named('email', before.email),
    country: typeof country === 'string' ? country.toUpperCase() : country,
    brandId: typeof brand === 'string' ? Number(brand) : brand,
    address: {
      lines: named('address', before.address.lines),
      city: named('city', before.address.city),
      postalCode: named('postal-code', before.address.postalCode),
      region: named('region', before.address.region),
    },
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`${issue?.path.join('.') ?? 'the customer'}: ${issue?.message ?? 'is not valid'}`);
}

/** In one transaction, on the customer that `--customer` names. */
const onCustomer = <T>(
  invocation: Invocation,
  work: (
    tx: Tx,
    found: { readonly customerId: string; readonly resellerId: number },
    now: Date,
  ) => Promise<T>,
): Promise<T> => {
  const name = needed(invocation, 'customer');
  const resellerId = optionalNumber(invocation, 'reseller');
  return inTransaction(async (tx, { clock }) => {
    const found = await findCustomerNamed(tx, name, resellerId);
    if (typeof found === 'string') throw new CommandError(found);
    return work(tx, found, clock.now());
  });
};

const commandBy = (): ActedBy => ({ actor: commandActor() });

const activation = (isActive: boolean, details: readonly string[]): Command => ({
  usage: '--customer <id or ref>',
  details,
  options: { ...resellerOption, ...customerOption },
  async run(invocation) {
    noWords(invocation);
    const row = await onCustomer(invocation, (tx, found, now) =>
      setCustomerActive(tx, found, isActive, commandBy(), now),
    );
    invocation.print({ ...presentCustomer(row), resellerId: row.reseller_id }, [
      isActive ? `Customer '${row.label}' is active.` : `Customer '${row.label}' is disabled.`,
    ]);
    return 0;
  },
});

const disable = activation(false, [
  'Nobody acts for it in the portal, and Auto-Pay neither announces nor charges. Its pay links work, and imports go on.',
]);
const enable = activation(true, ['What has been due since is announced and charged by Auto-Pay as always.']);

const list: Command = {
  usage: '[--reseller <id>] [--ref <text>] [--email <address>] [--label <beginning>] [--status <state>]',
  options: {
    ...resellerOption,
    ref: { type: 'string', help: 'your own number of it' },
    email: { type: 'string', value: '<address>', help: 'its e-mail address' },
    label: { type: 'string', value: '<beginning>', help: 'how its name begins' },
    status: { type: 'string', value: '<state>', help: customerStates.join(' or ') },
    ...limitOption,
  },
  async run(invocation) {
    noWords(invocation);
    const status = customerStates.find((state) => state === invocation.text('status'));
    if (status === undefined && invocation.text('status') !== undefined)
      throw new UsageError(`--status takes ${customerStates.join(' or ')}`);
    const filter = {
      resellerId: optionalNumber(invocation, 'reseller'),
      reference: invocation.text('ref'),
      email: invocation.text('email')?.trim().toLowerCase(),
      label: invocation.text('label'),
      status,
      limit: limitOf(invocation),
    };
    const rows = await withRuntime(({ databases }) => listCustomers(databases.web, filter));
    invocation.print(
      {
        customers: rows.map((row) => ({
          ...presentCustomer(row),
          resellerId: row.reseller_id,
          users: row.users,
        })),
      },
      table(
        ['id', 'reseller', 'brand', 'users', 'status', 'ref', 'label'],
        rows.map((row) => [
          row.customer_id,
          `${row.reseller_id}`,
          `${row.brand_id ?? 'first'}`,
          `${row.users}`,
          row.disabled_at === null ? 'active' : 'disabled',
          row.external_ref ?? '',
          row.label,
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { add, set, disable, enable, list };
