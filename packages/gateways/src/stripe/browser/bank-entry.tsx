import { accountOf, bankInputs } from '../../kit/browser/bank-inputs.ts';
import { OwnFields } from '../../kit/browser/own-fields.tsx';
import type { EntryConfig, MethodEntry } from '../../port/browser.ts';
import { tokeniseBank } from './bank-account.ts';

/** A bank account is typed into our own inputs, and goes from there to Stripe. */
export function bankEntry(config: EntryConfig): MethodEntry {
  const inputs = bankInputs(config);
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    async submit(owner) {
      const entered = await tokeniseBank(config, accountOf(inputs), owner);
      if ('error' in entered && entered.field !== undefined) inputs.refuse(entered.field, entered.error);
      return entered;
    },
    needsPrepared: false,
  };
}
