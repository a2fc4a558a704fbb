import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { describeDemo } from '../../../demo/describe-demo.ts';
import { ensureDemo } from '../../../demo/ensure-demo.ts';
import { saveDemoMethods } from '../../../demo/writing/save-methods.ts';
import { brandUrl } from '../../../features/brand/service.ts';
import { noWords } from '../../arguments/arguments.ts';
import { type Command, CommandError, table } from '../../command.ts';
import { withLinks } from '../../with-runtime.ts';
import { runDemoRemove } from './demo-remove.ts';

export const demoCommand: Command = {
  usage: '[remove]',
  details: [
    "Where there is none, it is made under DEMO=1 ('npm start' makes it by itself).",
    '',
    "'demo remove' takes all of it out: its resellers with everything that is theirs, also what was added, imported or",
    'paid since, their files and mails, and the sandbox’s journal. The audit trail stays. It is refused while the demo',
    'runs, while something of another reseller depends on it, and where real money moved through it.',
  ],
  options: {},
  async run(invocation) {
    if (invocation.positionals[0] === 'remove' && invocation.positionals.length === 1)
      return runDemoRemove(invocation);
    noWords(invocation);
    const { world, url } = await withLinks(async (runtime) => {
      if (runtime.config.demo === true) {
        await ensureDemo(runtime);
        await saveDemoMethods(runtime, gatewayModules);
      }
      return { world: await describeDemo(runtime), url: runtime.config.publicUrl };
    });
    if (world === undefined) {
      throw new CommandError("there is no demo world in this database; 'npm start', or DEMO=1, makes it");
    }
    const payable = world.invoices.filter(
      (invoice) => invoice.payLink !== null && Number(invoice.amountDue) > 0,
    );
    invocation.print(world, [
      ...table(
        ['brand', 'reseller', 'gateway', 'address'],
        world.brands.map((brand) => [
          `${brand.id}`,
          `${brand.resellerId}`,
          brand.gateway ?? 'none',
          brandUrl({ mainHost: brand.host }, url, '/'),
        ]),
      ),
      '',
      ...table(
        ['user', 'password', 'customers'],
        world.users.map((user) => [user.email, user.password, `${user.customerIds.length}`]),
      ),
      '',
      ...table(
        ['invoice', 'state', 'due', 'currency', 'pay link'],
        payable.map((one) => [one.number, one.state, one.amountDue, one.currency, one.payLink ?? '']),
      ),
    ]);
    return 0;
  },
};
