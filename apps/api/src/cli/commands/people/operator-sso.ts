import { requireReseller } from '../../../features/admin/checks.ts';
import { portalHosts } from '../../../features/admin/companies.ts';
import { findSso } from '../../../features/operators/sso-queries.ts';
import {
  listSettings,
  removeSettings,
  setSettings,
  testSettings,
} from '../../../features/operators/sso-settings.ts';
import { SSO_CALLBACK } from '../../../features/operators/sso-sign-in.ts';
import { IdentityProviders } from '../../../features/sso/identity-provider.ts';
import type { Runtime } from '../../../runtime.ts';
import { noWords, optionalNumber, resellerOption } from '../../arguments/arguments.ts';
import { ownerOf, ownerOptions } from '../../arguments/operator-arguments.ts';
import { oneOf, providerOptions, redirectUrisOf, secretOf } from '../../arguments/sso-arguments.ts';
import { type Command, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
import { withLinks, withRuntime } from '../../with-runtime.ts';

const depsOf = ({ databases, clock, secrets }: Runtime) => ({
  db: databases.web,
  clock,
  secrets,
  providers: new IdentityProviders({ clock }),
});

const whose = (resellerId: number | null): string =>
  resellerId === null ? 'the installation' : `reseller ${resellerId}`;

/** What a setting was before, or what has to be said of a new one. @throws {UsageError} */
function given(invocation: Invocation, name: string, before: string | undefined): string {
  const value = invocation.text(name) ?? before;
  if (value !== undefined) return value;
  throw new UsageError(`--${name} is needed the first time, and with another provider`);
}

/** Where the provider sends operators back to. */
async function addressesOf(runtime: Runtime, resellerId: number | null): Promise<readonly string[]> {
  const hosts =
    resellerId === null ? [] : await runtime.databases.web.transaction((tx) => portalHosts(tx, resellerId));
  return redirectUrisOf(runtime, hosts, SSO_CALLBACK);
}

const set: Command = {
  usage: '--reseller <id> | --installation [--name <text> --issuer <address> --client-id <id>] [options]',
  details: [
    'What is left out stays as it is; with another issuer or client the secret has to be given again. Register the printed',
    'redirect address at the provider. With --require password and passkey sign in no more, but those of owners of the',
    'installation, and sessions that were begun by them end; somebody has to have signed in by it before.',
  ],
  options: {
    ...ownerOptions,
    name: { type: 'string', help: 'what operators type to find it' },
    ...providerOptions,
    require: { type: 'boolean', help: 'operators cannot sign in by password or passkey' },
    optional: { type: 'boolean', help: 'they can (this is so unless --require was given)' },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = ownerOf(invocation);
    const clientSecret = await secretOf(invocation);
    const isDemanded = oneOf(invocation, 'require', 'optional');
    const redirectUris = await withLinks(async (runtime) => {
      const deps = depsOf(runtime);
      if (resellerId !== null) await deps.db.transaction((tx) => requireReseller(tx, resellerId));
      const known = await findSso(deps.db, resellerId);
      const wanted = {
        resellerId,
        name: given(invocation, 'name', known?.name),
        issuer: given(invocation, 'issuer', known?.issuer),
        // What one provider knows the console by is nothing to another.
        clientId: given(
          invocation,
          'client-id',
          [undefined, known?.issuer].includes(invocation.text('issuer')) ? known?.client_id : undefined,
        ),
        ...(clientSecret !== undefined && { clientSecret }),
        isDemanded: isDemanded ?? known?.is_demanded ?? false,
      };
      await setSettings(deps, null, wanted, { actor: commandActor() });
      return addressesOf(runtime, resellerId);
    });
    invocation.print({ resellerId, redirectUris }, [
      `Operators of ${whose(resellerId)} may sign in by it.`,
      'Register this redirect address at the provider (one of each host where they use the console):',
      ...redirectUris.map((address) => `  ${address}`),
    ]);
    return 0;
  },
};

const test: Command = {
  usage: '--reseller <id> | --installation',
  details: ['Exit codes: 0 it can be used, 1 it cannot, or is not reachable.'],
  options: ownerOptions,
  async run(invocation) {
    noWords(invocation);
    const resellerId = ownerOf(invocation);
    const { steps, redirectUris } = await withLinks(async (runtime) => {
      const addresses = await addressesOf(runtime, resellerId);
      const tested = await testSettings(depsOf(runtime), resellerId, addresses[0] ?? '');
      return { ...tested, redirectUris: addresses };
    });
    invocation.print({ resellerId, steps, redirectUris }, [
      ...table(
        ['step', 'good', 'the provider says'],
        steps.map(({ step, isGood, told }) => [step, isGood ? 'yes' : 'no', told ?? '']),
      ),
      'Redirect addresses the provider must know:',
      ...redirectUris.map((address) => `  ${address}`),
    ]);
    return steps.every(({ isGood }) => isGood) ? 0 : 1;
  },
};

const remove: Command = {
  usage: '--reseller <id> | --installation',
  options: ownerOptions,
  async run(invocation) {
    noWords(invocation);
    const resellerId = ownerOf(invocation);
    await withRuntime((runtime) => removeSettings(depsOf(runtime), resellerId, { actor: commandActor() }));
    invocation.print({ resellerId }, [`Operators of ${whose(resellerId)} have no single sign-on now.`]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>]',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller') ?? null;
    const settings = await withRuntime(({ databases: { web: db } }) => listSettings({ db }, { resellerId }));
    invocation.print(
      { settings },
      table(
        ['name', 'reseller', 'state', 'issuer', 'signed in by it'],
        settings.map((one) => [
          one.name,
          one.resellerId === null ? 'all' : `${one.resellerId}`,
          one.isDemanded ? 'required' : 'offered',
          one.issuer,
          `${one.people}`,
        ]),
      ),
    );
    return 0;
  },
};

export const actions = { set, test, remove, list };
