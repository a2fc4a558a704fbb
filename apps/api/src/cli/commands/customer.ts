import { addCustomer, type CustomerIdentity, listCustomers } from '../../features/admin/customers.ts';
import {
  limitOf,
  limitOption,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../arguments.ts';
import { type Command, type Invocation, table } from '../command.ts';
import { recordCommand } from '../record-command.ts';
import { inTransaction, withRuntime } from '../with-runtime.ts';

const identityOptions = {
  endpoint: 'endpoint',
  'legal-id': 'legalId',
  'account-code': 'accountCode',
  'known-as': 'name',
} as const satisfies Record<string, CustomerIdentity['kind']>;

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
    endpoint: {
      type: 'string',
      value: '<scheme:id>',
      multiple: true,
      help: 'electronic address in e-invoices, e.g. 0088:7300010000001',
    },
    'legal-id': { type: 'string', value: '<id>', multiple: true, help: 'registration number in e-invoices' },
    'account-code': { type: 'string', multiple: true, help: 'account code in call records' },
    'known-as': { type: 'string', value: '<name>', multiple: true, help: 'another name in e-invoices' },
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

export const actions = { add, list };
