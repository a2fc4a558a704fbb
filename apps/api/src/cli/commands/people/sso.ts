import {
  companyPeople,
  listCompanies,
  portalHosts,
  removeCompany,
  requireCompany,
  setCompany,
} from '../../../features/admin/companies.ts';
import { IdentityProviders, ProviderFailed } from '../../../features/sso/identity-provider.ts';
import { CALLBACK_PATH } from '../../../features/sso/visit.ts';
import {
  customersOption,
  needed,
  neededNumber,
  noWords,
  optionalNumber,
  resellerOption,
} from '../../arguments/arguments.ts';
import { oneOf, providerOptions, redirectUrisOf, secretOf } from '../../arguments/sso-arguments.ts';
import { type Command, CommandError, type Invocation, table } from '../../command.ts';
import { customersNamed } from '../../customer-named.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, inTransactionWithLinks, withLinks, withRuntime } from '../../with-runtime.ts';

const companyOption = {
  company: { type: 'string', value: '<name>', help: 'the name people type to sign in, in any case' },
} as const;

const set: Command = {
  usage: '--reseller <id> --company <name> [--issuer <address> --client-id <id>] [options]',
  details: [
    'What is left out stays as it is; --domain and --customer, given once or several times, take the place of what was',
    'there. A company without --issuer is known but has no single sign-on. Register the printed redirect address at the',
    'provider, and let it tell the claims email and email_verified. A provider may vouch for users of these customers;',
    'for one who sees other customers too only when the address is in one of these domains.',
  ],
  options: {
    ...resellerOption,
    ...companyOption,
    ...providerOptions,
    domain: { type: 'string', value: '<name>', multiple: true, help: 'of the company’s e-mail addresses' },
    ...customersOption,
    require: { type: 'boolean', help: 'addresses in these domains cannot sign in by password' },
    optional: { type: 'boolean', help: 'they can (this is so unless --require was given)' },
    block: { type: 'boolean', help: 'nobody signs in through it until --unblock' },
    unblock: { type: 'boolean', help: 'ends --block' },
  },
  async run(invocation) {
    noWords(invocation);
    const customers = listOf(invocation, 'customer');
    const wanted = {
      resellerId: neededNumber(invocation, 'reseller'),
      name: needed(invocation, 'company'),
      issuer: invocation.text('issuer'),
      clientId: invocation.text('client-id'),
      clientSecret: await secretOf(invocation),
      domains: listOf(invocation, 'domain'),
      requiresSso: oneOf(invocation, 'require', 'optional'),
      isActive: oneOf(invocation, 'unblock', 'block'),
    };
    const done = await inTransactionWithLinks(async (tx, runtime) => {
      const { secrets, clock } = runtime;
      const customerIds = customers && (await customersNamed(tx, customers, wanted.resellerId));
      const change = { ...wanted, customerIds };
      const company = await setCompany(tx, secrets, change, clock.now());
      // Names only: what a secret is set to is nobody's to read.
      const settings = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      const detail = { company: change.name.trim(), isNew: company.isNew, settings: settings.join(' ') };
      await recordCommand(tx, clock.now(), { action: 'sso.set', resellerId: change.resellerId, detail });
      const redirectUris = redirectUrisOf(runtime, await portalHosts(tx, wanted.resellerId), CALLBACK_PATH);
      return { ...company, redirectUris, ...(await companyPeople(tx, company.id)) };
    });
    const { people, shut_out: shutOut, ...rest } = done;
    invocation.print({ ...rest, people, shutOut }, [
      `The company '${wanted.name.trim()}' is ${done.isNew ? 'known now' : 'changed'}. ${peopleText(people, shutOut)}`,
      'Register this redirect address at the provider (one of each portal people use):',
      ...done.redirectUris.map((address) => `  ${address}`),
    ]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>]',
  options: { ...resellerOption },
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const companies = await withRuntime(({ databases }) => listCompanies(databases.web, resellerId));
    const state = (row: (typeof companies)[number]) => {
      if (!row.is_active) return 'blocked';
      if (row.issuer === null) return 'no single sign-on';
      return row.requires_sso ? 'required' : 'offered';
    };
    invocation.print(
      { companies },
      table(
        ['company', 'reseller', 'state', 'issuer', 'domains', 'customers'],
        companies.map((row) => [
          row.name,
          `${row.reseller_id}`,
          state(row),
          row.issuer ?? '',
          row.domains.join(' '),
          `${row.customer_ids.length}`,
        ]),
      ),
    );
    return 0;
  },
};

const remove: Command = {
  usage: '--company <name> [--keep-name]',
  options: {
    ...companyOption,
    'keep-name': { type: 'boolean', help: 'tells who types the name that it has no single sign-on' },
  },
  async run(invocation) {
    noWords(invocation);
    const name = needed(invocation, 'company');
    const keepsName = invocation.flag('keep-name');
    const gone = await inTransaction(async (tx, { clock }) => {
      const company = await removeCompany(tx, name, keepsName);
      const detail = { company: company.name, keepsName };
      await recordCommand(tx, clock.now(), {
        action: 'sso.removed',
        resellerId: company.reseller_id,
        detail,
      });
      return company;
    });
    invocation.print({ company: gone.name, keepsName }, [
      keepsName ? `'${gone.name}' has no single sign-on now.` : `The company '${gone.name}' is forgotten.`,
    ]);
    return 0;
  },
};

const test: Command = {
  usage: '--company <name>',
  details: ['Exit codes: 0 it can be used, 1 it cannot, or is not reachable.'],
  options: companyOption,
  async run(invocation) {
    noWords(invocation);
    const name = needed(invocation, 'company');
    const found = await withLinks(async (runtime) => {
      const { databases, clock } = runtime;
      const [company, hosts, who] = await databases.web.transaction(async (tx) => {
        const row = await requireCompany(tx, name);
        return [row, await portalHosts(tx, row.reseller_id), await companyPeople(tx, row.id)] as const;
      });
      if (company.issuer === null) throw new CommandError(`'${company.name}' has no single sign-on`);
      const metadata = await new IdentityProviders({ clock })
        .discover(company.issuer)
        .catch((error: unknown) => {
          if (!(error instanceof ProviderFailed)) throw error;
          throw new CommandError(`${company.issuer} cannot be used: ${error.code}`);
        });
      return { company, metadata, who, redirectUris: redirectUrisOf(runtime, hosts, CALLBACK_PATH) };
    });
    const { company, metadata, who, redirectUris } = found;
    const pkce = metadata.code_challenge_methods_supported;
    const facts = {
      issuer: metadata.issuer,
      authorization: metadata.authorization_endpoint,
      token: metadata.token_endpoint,
      keys: metadata.jwks_uri,
      userinfo: metadata.userinfo_endpoint ?? 'none: the ID token must hold e-mail and email_verified',
      PKCE: pkce === undefined ? 'not mentioned' : pkce.join(' '),
      'client proves itself': company.client_secret === null ? 'not: it has no secret' : 'with its secret',
    };
    const { people, shut_out: shutOut } = who;
    invocation.print(
      { company: company.name, isActive: company.is_active, ...facts, people, shutOut, redirectUris },
      [
        `'${company.name}'${company.is_active ? '' : ' is blocked. It'} signs in through ${metadata.issuer}.`,
        ...Object.entries(facts).map(([what, value]) => `  ${what.padEnd(22)}${value}`),
        'Redirect addresses the provider must know:',
        ...redirectUris.map((address) => `  ${address}`),
        peopleText(people, shutOut),
      ],
    );
    return 0;
  },
};

const peopleText = (people: number, shutOut: readonly string[]): string =>
  [
    `${people} ${people === 1 ? 'user' : 'users'} may sign in through it.`,
    ...(shutOut.length === 0
      ? []
      : [
          `Not these, who see other customers too and have an address of no given --domain: ${shutOut.join(', ')}.`,
        ]),
  ].join(' ');

function listOf(invocation: Invocation, name: string): readonly string[] | undefined {
  const given = invocation.texts(name);
  return given.length === 0 ? undefined : given;
}

export const actions = { set, test, remove, list };
