import { RotationRefused, rotateKeys } from '../../keys/rotate.ts';
import { noWords } from '../arguments/arguments.ts';
import { type Command, CommandError } from '../command.ts';
import { recordCommand } from '../record-command.ts';
import { withRuntime } from '../with-runtime.ts';

const rotate: Command = {
  usage: '',
  details: [
    'Seals everything again that is sealed with the key that goes, while everything runs: docs/operations.md, The key, has the steps before',
    'and after. SECRET_KEY is the new key and SECRET_KEY_FALLBACK the one that goes. Interrupted, run it again.',
  ],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const rotated = await withRuntime(({ databases, secrets, clock }) =>
      rotateKeys(databases.jobs, secrets, (tx, { sealed }) =>
        recordCommand(tx, clock.now(), { action: 'secretKey.rotated', detail: { sealed: String(sealed) } }),
      ),
    ).catch((error: unknown) => {
      throw error instanceof RotationRefused ? new CommandError(error.message) : error;
    });
    const unreadable = Object.entries(rotated.unreadable).map(
      ([column, count]) => `${count} values of ${column} open with neither key, and did not before.`,
    );
    invocation.print(rotated, [
      `Sealed again: ${rotated.sealed} values. Nothing is left under the key before.`,
      ...unreadable,
      'Restart servers and workers without SECRET_KEY_FALLBACK, one after another, and keep the old key with the backups made under it.',
    ]);
    return 0;
  },
};

export const actions = { rotate };
