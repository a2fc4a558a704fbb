import { requireActiveUser } from '../../../features/admin/users.ts';
import { removeFactorFor } from '../../../features/second-factor/enrolment.ts';
import { findState } from '../../../features/second-factor/queries.ts';
import { needed, noWords } from '../../arguments/arguments.ts';
import type { Command } from '../../command.ts';
import { recordCommand, userSubject } from '../../record-command.ts';
import { inTransaction } from '../../with-runtime.ts';

/** For the person who lost phone and recovery codes; whoever runs it has made sure that it is them. */
const secondFactor: Command = {
  usage: '--email <address> [--remove]',
  details: ['The user is signed out everywhere and told by mail. Make sure that it is them who asks.'],
  options: {
    email: { type: 'string', value: '<address>', help: 'the user name' },
    remove: { type: 'boolean', help: 'the password alone is enough again, unless the brand asks for more' },
  },
  async run(invocation) {
    noWords(invocation);
    const address = needed(invocation, 'email');
    const isRemoval = invocation.flag('remove');
    const found = await inTransaction(async (tx, { clock }) => {
      const user = await requireActiveUser(tx, address);
      const state = await findState(tx, user.id);
      const before = {
        email: user.email,
        isOn: state?.confirmed_at != null,
        since: state?.confirmed_at?.toISOString() ?? null,
        recoveryCodesLeft: state?.codes_left ?? 0,
        isRequired: state?.is_required ?? false,
      };
      if (!isRemoval || !(await removeFactorFor(tx, user.id, clock.now()))) return before;
      const subject = await userSubject(tx, user.email);
      await recordCommand(tx, clock.now(), { action: 'secondFactor.removed', ...subject });
      return { ...before, isOn: false, recoveryCodesLeft: 0, removed: true };
    });
    invocation.print(found, [wordsFor(found, isRemoval)]);
    return 0;
  },
};

interface Found {
  readonly email: string;
  readonly isOn: boolean;
  readonly since: string | null;
  readonly recoveryCodesLeft: number;
  readonly removed?: boolean;
}

function wordsFor({ email, isOn, since, recoveryCodesLeft, removed }: Found, isRemoval: boolean): string {
  if (removed === true) return `The second factor of ${email} is removed; all sessions ended.`;
  if (!isOn) return `${email} has no second factor${isRemoval ? '; nothing was changed' : ''}.`;
  return `${email} has a second factor since ${since}; recovery codes left: ${recoveryCodesLeft}.`;
}

export const actions = { 'second-factor': secondFactor };
