import { isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import {
  type CaseEnd,
  type CaseResult,
  type CasesReport,
  countEnds,
} from '@counterfoil/gateways/cases/case.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { addressesOf } from '../../../demo/sandbox-addresses.ts';
import {
  accountToVerify,
  elsewhereOf,
  type VerifiedAccount,
} from '../../../features/admin/gateway-verifications.ts';
import {
  type Cases,
  casesFor,
  keyModeFor,
  recordRun,
  unknownCase,
  verify,
} from '../../../features/admin-gateways/verify.ts';
import { VERSION } from '../../../version.ts';
import { neededNumber, noWords, resellerOption } from '../../arguments/arguments.ts';
import { type Command, CommandError, type Invocation, table, UsageError } from '../../command.ts';
import { commandActor } from '../../record-command.ts';
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
      const deps = { secrets, modules: gatewayModules };
      const wanted = { resellerId, given };
      const account = await accountToVerify(databases.web, deps, wanted, addressesOf(config));
      const keyMode = testKeysOnly(account, invocation.flag(CONFIRM));
      const found = await casesFor(account.module.manifest);
      const only = onlyOf(found, invocation.texts('case'));
      const run = {
        ...found,
        account,
        keyMode,
        resellerId,
        currency,
        only,
        withGivenKeys: given.length > 0,
        returnTo: config.publicUrl,
        // It takes minutes: standard error shows that it goes on.
        onResult: ({ case: name, is, ms }: CaseResult) =>
          runtime.log.info({ case: name, is, ms }, 'case ended'),
      };
      const report = await verify(runtime, run);
      const isRecorded = await databases.web.transaction((tx) =>
        recordRun(tx, run, report, { actor: commandActor() }, runtime.clock.now()),
      );
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
function testKeysOnly(account: VerifiedAccount, isVouchedFor: boolean): 'test' | 'word' {
  const mode = keyModeFor(account, isVouchedFor);
  if (typeof mode === 'string') return mode;
  const { displayName } = account.module.manifest;
  throw new CommandError(
    mode.doubt === 'live'
      ? `these keys of ${displayName} are live: nothing was sent. Give test keys by --set for this run, or by gateway set`
      : `whether these keys of ${displayName} are test keys cannot be told: nothing was sent. ` +
          `If you are sure that they move no money, add --${CONFIRM}`,
  );
}

/** @throws {UsageError} for a name that no case has */
function onlyOf(found: Cases, asked: readonly string[]): readonly string[] | undefined {
  const unknown = unknownCase(found, asked);
  if (unknown === undefined) return asked.length === 0 ? undefined : asked;
  const names = found.cases.map(({ id }) => id).join(', ');
  throw new UsageError(`there is no case '${unknown}'; there are: ${names}`);
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
  {
    account,
    report,
    isRecorded,
  }: { readonly account: VerifiedAccount; readonly report: CasesReport; readonly isRecorded: boolean },
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
