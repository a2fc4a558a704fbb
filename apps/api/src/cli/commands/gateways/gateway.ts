import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import {
  disableGateway,
  enableGateway,
  gatewayFields,
  listGatewayAccounts,
  setGatewayAccount,
} from '../../../features/admin/gateway-accounts.ts';
import { lastVerifications, standOf } from '../../../features/admin/gateway-verifications.ts';
import { checkGateway } from '../../../features/admin-gateways/check.ts';
import { gatewayAccounts } from '../../../gateway-accounts.ts';
import { needed, neededNumber, noWords, optionalNumber, resellerOption } from '../../arguments/arguments.ts';
import { type Command, CommandError, table } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { withGateways } from '../../with-gateways.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';
import { settingFromFile } from './gateway-setting.ts';

const fieldLines = gatewayModules.flatMap(({ manifest }) => [
  `Settings of ${manifest.id}:`,
  ...gatewayFields(gatewayModules, manifest.id).map(
    (field) =>
      `  ${field.name.padEnd(18)}${field.label}${field.secret ? ', stored encrypted' : ''}. ${field.help ?? ''}`,
  ),
]);

const set: Command = {
  usage: '--reseller <id> --gateway <name> --set <name=value> …',
  details: [
    'What is left out stays as it is. A value that begins with @ is read from that file, so that a key does not show',
    'in the list of processes.',
    '',
    ...fieldLines,
  ],
  options: {
    ...resellerOption,
    gateway: {
      type: 'string',
      value: '<name>',
      help: gatewayModules.map((one) => one.manifest.id).join(', '),
    },
    set: {
      type: 'string',
      value: '<name=value>',
      multiple: true,
      help: 'a setting; may be given several times',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const gateway = needed(invocation, 'gateway');
    const settings = await Promise.all(invocation.texts('set').map(settingFromFile));
    const { detail, ...account } = await inTransaction(async (tx, { secrets, clock }) => {
      const deps = { secrets, modules: gatewayModules };
      const done = await setGatewayAccount(tx, deps, { resellerId, gateway, settings }, clock.now());
      if (done.detail !== null)
        await recordCommand(tx, clock.now(), { action: 'gateway.set', resellerId, detail: done.detail });
      return done;
    });
    const said = detail === null ? 'are so already' : 'changed';
    invocation.print({ ...account, resellerId, gateway }, [
      account.isNew
        ? `Reseller ${resellerId} now pays through ${gateway}.`
        : `Settings of ${gateway} ${said}.`,
      `Webhooks go to <address of a brand>/v1/webhooks/${gateway}/${resellerId}`,
    ]);
    return 0;
  },
};

const list: Command = {
  usage: '[--reseller <id>]',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = optionalNumber(invocation, 'reseller');
    const rows = await withRuntime(async ({ databases: { web } }) => {
      const verified = await lastVerifications(web);
      return (await listGatewayAccounts(web, resellerId)).map((row) => {
        const last = verified.get(row.id);
        const module = gatewayModules.find((one) => one.manifest.id === row.gateway);
        return { ...row, verification: { ...standOf(last, module?.manifest), last: last ?? null } };
      });
    });
    invocation.print(
      { accounts: rows },
      table(
        ['reseller', 'gateway', 'state', 'settings', 'since', 'verified'],
        rows.map((row) => [
          `${row.reseller_id}`,
          row.gateway,
          row.is_active ? 'in use' : 'out of use',
          JSON.stringify(row.config),
          row.created_at.toISOString().slice(0, 10),
          row.verification.text,
        ]),
      ),
    );
    return 0;
  },
};

const check: Command = {
  usage: '--reseller <id>',
  details: ['Exit codes: 0 they work, 1 they do not, there are none, or the gateway is not reachable.'],
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const result = await withGateways(async (runtime) => {
      const account = await gatewayAccounts(runtime, gatewayModules).activeFor(resellerId);
      if (account === undefined)
        throw new CommandError(`reseller ${resellerId} has no gateway that can be used`);
      return { gateway: account.module.manifest.id, ...(await checkGateway(account)) };
    });
    invocation.print({ resellerId, ok: result.is === 'working', ...result }, [result.message]);
    return result.is === 'working' ? 0 : 1;
  },
};

const enable: Command = {
  usage: '--reseller <id> --account <id>',
  details: [
    'With the settings it has; the gateway that is in use goes out of use. gateway list --json has the ids.',
  ],
  options: { ...resellerOption, account: { type: 'string', value: '<id>', help: 'the account' } },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const id = needed(invocation, 'account');
    if (!/^[0-9a-f-]{36}$/.test(id))
      throw new CommandError(`reseller ${resellerId} has no gateway account ${id}`);
    const enabled = await inTransaction(async (tx, { secrets, clock }) => {
      const accounts = await enableGateway(tx, { secrets, modules: gatewayModules }, { resellerId, id });
      const detail = { account: id };
      if (accounts > 0)
        await recordCommand(tx, clock.now(), { action: 'gateway.enabled', resellerId, detail });
      return accounts;
    });
    invocation.print({ resellerId, account: id, enabled }, [
      enabled === 0 ? 'This account is in use already.' : `Reseller ${resellerId} now pays by this account.`,
    ]);
    return 0;
  },
};

const disable: Command = {
  usage: '--reseller <id>',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const disabled = await inTransaction(async (tx, { clock }) => {
      const accounts = await disableGateway(tx, resellerId);
      if (accounts > 0) await recordCommand(tx, clock.now(), { action: 'gateway.disabled', resellerId });
      return accounts;
    });
    invocation.print({ resellerId, disabled }, [
      disabled === 0
        ? `Reseller ${resellerId} has no gateway in use.`
        : `Reseller ${resellerId} has no gateway now.`,
    ]);
    return 0;
  },
};

export const actions = { set, check, disable, enable, list };
