import { type CheckedRule, checkBooks, type OnRule } from '../../features/books/check.ts';
import { noWords } from '../arguments/arguments.ts';
import type { Command } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

/** `counterfoil books verify`: whether payments, invoices, credit and ledger say the same. */
const verify: Command = {
  usage: '',
  details: [
    'Reads all of it at one moment, while everything runs; on a large installation that takes minutes. Ends with 1 where a rule is broken.',
  ],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const slow = invocation.json ? undefined : slowRules((line) => process.stderr.write(`${line}\n`));
    const rules = await withRuntime(({ databases }) => checkBooks(databases.exports, slow?.onRule)).finally(
      slow?.end,
    );
    invocation.print({ rules }, linesOf(rules));
    return rules.every(({ broken }) => broken === 0) ? 0 : 1;
  },
};

const SLOW_MS = 1_000;

/** Says which rule is looked at, of those that take longer than a second. Call `end` after the last one. */
export function slowRules(write: (line: string) => void): {
  readonly onRule: OnRule;
  readonly end: () => void;
} {
  let waiting: NodeJS.Timeout | undefined;
  const end = () => clearTimeout(waiting);
  return {
    onRule(rule, at, of) {
      end();
      waiting = setTimeout(write, SLOW_MS, `rule ${at} of ${of}: ${rule}`);
    },
    end,
  };
}

function linesOf(rules: readonly CheckedRule[]): readonly string[] {
  const broken = rules.filter((one) => one.broken > 0);
  return [
    ...broken.map(
      (one) =>
        `Broken: ${one.rule}. ${one.broken} times: ${one.such.join(', ')}${one.broken > one.such.length ? ', …' : ''}`,
    ),
    broken.length === 0
      ? `All ${rules.length} rules of the books hold.`
      : `${broken.length} of ${rules.length} rules of the books are broken.`,
  ];
}

export const actions = { verify };
