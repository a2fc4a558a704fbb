/** How a gateway without code of its own takes a method: our inputs, its page in a frame, or its page instead of ours. */
import type {
  CreateEntry,
  Entered,
  EntryConfig,
  EntryFieldsProps,
  MethodEntry,
  MethodKind,
} from '../../port/browser.ts';
import { accountOf, bankInputs } from './bank-inputs.ts';
import { cardInputs, cardNumbers, endOf } from './card-inputs.ts';
import { FrameEntryFields } from './frame-entry.tsx';
import { LeaveFields } from './leave-fields.tsx';
import { OwnFields } from './own-fields.tsx';

export const createEntry: CreateEntry = (kind, config) => {
  switch (config.how) {
    case 'ownFieldsToUs':
      return ownEntry(kind, config);
    case 'providerFrame':
      return frameEntry(kind);
    case 'redirect':
      return leaveEntry(kind, config);
    default:
      throw new TypeError(`${config.integrationType} has no entry of its own, and ${config.how} needs one`);
  }
};

function ownEntry(kind: MethodKind, config: EntryConfig): MethodEntry {
  const inputs = kind === 'card' ? cardInputs() : bankInputs(config);
  const end = kind === 'card' ? endOf(inputs) : undefined;
  const submit = async (): Promise<Entered> => ({
    numbers: kind === 'card' ? cardNumbers(inputs) : { account: accountOf(inputs) },
  });
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} {...(end && { endOf: end })} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    submit,
    needsPrepared: config.isPrepared,
  };
}

const nothing = (): readonly never[] => [];

/** The provider's page tells its server what was typed, and us by its callback; a press only says that it is to be used. */
function frameEntry(kind: MethodKind): MethodEntry {
  const said = { why: '' };
  return {
    Fields: (props: EntryFieldsProps) => <FrameEntryFields {...props} kind={kind} said={said} />,
    problems: nothing,
    focus: () => undefined,
    submit: async () => ({ entered: true }),
    // Its address comes with the entry.
    needsPrepared: true,
  };
}

function leaveEntry(kind: MethodKind, config: EntryConfig): MethodEntry {
  return {
    Fields: (props) => <LeaveFields {...props} kind={kind} />,
    problems: nothing,
    focus: () => undefined,
    submit: async () => ({ entered: true }),
    needsPrepared: config.isPrepared,
  };
}
