import { isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import {
  type CaseEnd,
  type CasesReport,
  countEnds,
  type GatewayCase,
  keyModeOf,
} from '@counterfoil/gateways/cases/case.ts';
import type { CasesData } from '@counterfoil/gateways/cases/data.ts';
import { casesOf } from '@counterfoil/gateways/cases/list.ts';
import { runCases } from '@counterfoil/gateways/cases/run.ts';
import { gatewayCases } from '@counterfoil/gateways/cases-registry.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import {
  accountToVerify,
  elsewhereOf,
  recordVerification,
  type VerifiedAccount,
} from '../../../features/admin/gateway-verifications.ts';
import type { Runtime } from '../../../runtime.ts';
import { VERSION } from '../../../version.ts';
import { neededNumber, noWords, resellerOption } from '../../arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { withGateways } from '../../with-gateways.ts';
import { settingFromFile } from './gateway-setting.ts';

const CONFIRM = 'yes-these-are-test-keys';

const gatewayVerify: Command = {
  usage: '--reseller <id> [--case <name> …] [--set <name=value> …]',
  details: [
    'Charges, refunds, saves and removes at the gateway through the same code that takes payments, with the',
    "provider's test cards. Live keys are refused before anything is sent. What it makes it gives back, closes or",
    'removes; what stays is listed. The result is recorded and shown by gateway list and doctor.',
    '',
    'passed          the gateway does what this program says',
    'failed          it does not',
    'unreachable     no answer, or one of trouble: run it again',
    'not available   this account cannot show it, e.g. it may not debit banks there',
    'not run         the keys were refused or not reached',
    '',
    'Exit codes: 0 all passed or not available, 1 a case did not pass, or the keys are refused here.',
  ],
  options: {
    ...resellerOption,
    case: {
      type: 'string',
      value: '<name>',
      multiple: true,
      help: 'only this case; may be given several times',
    },
    set: {
      type: 'string',
      value: '<name=value>',
      multiple: true,
      help: 'a setting for this run only, e.g. test keys of a reseller that takes payments; @ reads a file',
    },
    currency: {
      type: 'string',
      value: '<code>',
      help: "what to pay in (that of the reseller's first brand)",
    },
    [CONFIRM]: {
      type: 'boolean',
      help: 'your word for it, where the settings of a gateway cannot tell test keys from live ones',
    },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const currency = currencyOf(invocation);
    const given = await Promise.all(invocation.texts('set').map(settingFromFile));
    const done = await withGateways(async (runtime) => {
      const { config, databases, secrets } = runtime;
      const overrides = Object.fromEntries(
        [...config.gatewayUrls].map(([id, url]) => [`GATEWAY_URL_${id}`, url] as const),
      );
      const deps = { secrets, modules: gatewayModules };
      const account = await accountToVerify(databases.web, deps, { resellerId, given }, overrides);
      const keyMode = keyModeFor(account, invocation.flag(CONFIRM));
      const { cases, data, only } = await casesFor(account, invocation.texts('case'));
      const report = await runCases({
        cases,
        data,
        module: account.module,
        context: {
          config: account.settings,
          addresses: account.addresses,
          clock: runtime.clock,
          log: runtime.log,
        },
        currency: currency ?? account.currency,
        resellerId: `${resellerId}`,
        returnTo: config.publicUrl.href,
        // It takes minutes: standard error shows that it goes on.
        onResult: ({ case: name, is, ms }) => runtime.log.info({ case: name, is, ms }, 'case ended'),
        ...(only === undefined ? {} : { only }),
      });
      const isWhole = only === undefined;
      const isRecorded = await record(runtime, { account, keyMode, report, resellerId, isWhole, given });
      return { account, report, isRecorded };
    });
    print(invocation, resellerId, done);
    const { failed, unreachable, notRun } = countEnds(done.report.results);
    return failed + unreachable + notRun === 0 ? 0 : 1;
  },
};

function currencyOf(invocation: Invocation): string | undefined {
  const code = invocation.text('currency')?.toUpperCase();
  if (code !== undefined && !isCurrencyCode(code)) throw new UsageError(`there is no currency '${code}'`);
  return code;
}

/** @throws {CommandError} for live keys, and for keys nobody vouches for: before anything is sent */
export function keyModeFor(
  { module, settings }: Pick<VerifiedAccount, 'module' | 'settings'>,
  isVouchedFor: boolean,
): 'test' | 'word' {
  const { displayName } = module.manifest;
  switch (keyModeOf(module.manifest, settings)) {
    case 'test':
      return 'test';
    case 'live':
      throw new CommandError(
        `these keys of ${displayName} are live: nothing was sent. Give test keys by --set for this run, or by gateway set`,
      );
    case 'unknown':
      if (isVouchedFor) return 'word';
      throw new CommandError(
        `whether these keys of ${displayName} are test keys cannot be told: nothing was sent. ` +
          `If you are sure that they move no money, add --${CONFIRM}`,
      );
  }
}

async function casesFor(
  { module }: VerifiedAccount,
  asked: readonly string[],
): Promise<{
  readonly cases: readonly GatewayCase[];
  readonly data: CasesData;
  readonly only: readonly string[] | undefined;
}> {
  const { id, displayName } = module.manifest;
  const load = gatewayCases[id];
  if (load === undefined) throw new CommandError(`${displayName} has no cases to verify`);
  const { casesData: data } = await load();
  const cases = casesOf(module.manifest, data);
  const names = cases.map((one) => one.id);
  const unknown = asked.find((one) => !names.includes(one));
  if (unknown !== undefined)
    throw new UsageError(`there is no case '${unknown}'; there are: ${names.join(', ')}`);
  return { cases, data, only: asked.length === 0 ? undefined : asked };
}

interface Ran {
  readonly account: VerifiedAccount;
  readonly keyMode: 'test' | 'word';
  readonly report: CasesReport;
  readonly resellerId: number;
  readonly isWhole: boolean;
  readonly given: readonly string[];
}

/** @returns false where nothing was reached: that says nothing of the adapter, nor undoes what an earlier run showed */
async function record({ databases, clock }: Runtime, ran: Ran): Promise<boolean> {
  const { account, keyMode, report, resellerId, isWhole, given } = ran;
  const { passed, failed, unreachable, notRun, notAvailable } = countEnds(report.results);
  if (passed + failed === 0) return false;
  const { manifest } = account.module;
  const elsewhere = elsewhereOf(manifest, account.addresses);
  const endedAt = clock.now();
  await databases.web.transaction(async (tx) => {
    await recordVerification(tx, {
      accountId: account.id,
      endedAt,
      apiVersion: manifest.apiVersion,
      programVersion: VERSION,
      elsewhere,
      keyMode,
      withGivenKeys: given.length > 0,
      isWhole,
      report,
    });
    const detail = {
      gateway: manifest.id,
      account: account.id,
      apiVersion: manifest.apiVersion,
      isWhole,
      passed,
      failed,
      unreachable,
      notRun,
      notAvailable,
      keyMode,
      ...(elsewhere === null ? {} : { elsewhere }),
    };
    await recordCommand(tx, endedAt, { action: 'gateway.verified', resellerId, detail });
  });
  return true;
}

const words: Readonly<Record<CaseEnd, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  unreachable: 'UNREACHABLE',
  notAvailable: 'not available',
  notRun: 'not run',
};

function print(
  invocation: Invocation,
  resellerId: number,
  { account, report, isRecorded }: Pick<Ran, 'account' | 'report'> & { readonly isRecorded: boolean },
): void {
  const { manifest } = account.module;
  const counts = countEnds(report.results);
  const elsewhere = elsewhereOf(manifest, account.addresses);
  const asked = report.results.length - counts.notAvailable;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  invocation.print(
    {
      resellerId,
      gateway: manifest.id,
      apiVersion: manifest.apiVersion,
      programVersion: VERSION,
      elsewhere,
      counts,
      isRecorded,
      ...report,
    },
    [
      `${manifest.displayName}, API version ${manifest.apiVersion}, ${elsewhere ?? "at the provider's own addresses"}`,
      '',
      ...table(
        ['case', 'result', 'time', 'evidence'],
        report.results.map((one) => [
          one.case,
          words[one.is],
          one.is === 'notRun' ? '' : `${one.ms} ms`,
          [...one.ids, ...(one.detail === '' ? [] : [one.detail])].join(' '),
        ]),
      ),
      ...list('Not checked by this command:', report.notChecked),
      ...list(
        `Undone: ${report.undone} payments, pages and saved methods; records of them stay there. Not undone:`,
        report.left,
      ),
      '',
      `Passed: ${counts.passed} of ${asked}${counts.notAvailable === 0 ? '' : `, not available: ${counts.notAvailable}`}.`,
      ...(isRecorded ? [] : ['Nothing is recorded: the gateway was not reached.']),
      ...(elsewhere === null ? [] : ["This was not the provider's own service: it proves nothing about it."]),
    ],
  );
}

export const actions = { verify: gatewayVerify };
