import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { type RemovedDemo, removeDemo } from '../../../demo/remove-demo.ts';
import { CommandError, type Invocation } from '../../command.ts';
import { runningSandbox } from '../../demo-sandbox.ts';
import { recordCommand } from '../../record-command.ts';
import { withRuntime } from '../../with-runtime.ts';

/** `counterfoil demo remove`. @throws {CommandError} where there is no demo world, or it runs */
export async function runDemoRemove(invocation: Invocation): Promise<number> {
  const removed = await withRuntime(async (runtime) => {
    if ((await runningSandbox(runtime.config.dataDir)) !== undefined)
      throw new CommandError("the demo runs: stop 'npm start' first");
    return removeDemo(runtime, gatewayModules, (tx, resellers) =>
      recordCommand(tx, runtime.clock.now(), {
        action: 'demo.removed',
        detail: { resellers: resellers.join(' ') },
      }),
    );
  });
  if (removed === undefined) throw new CommandError('there is no demo world in this database');
  invocation.print(removed, [described(removed)]);
  return 0;
}

function described({ resellers, rows, months, files, mails }: RemovedDemo): string {
  const all = Object.values(rows).reduce((sum, one) => sum + one, 0);
  return (
    `The demo world is removed: resellers ${resellers.join(', ')}; ${rows['app_user'] ?? 0} users, ` +
    `${rows['customer'] ?? 0} customers, ${rows['invoice'] ?? 0} invoices, ${rows['usage_record'] ?? 0} usage records, ` +
    `${all} rows in all; ${months.length} months, ${files} stored files, ${mails} mails, the sandbox's journal.`
  );
}
