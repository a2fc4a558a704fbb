import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { describeDemo } from '../../demo/describe-demo.ts';
import { ensureDemo } from '../../demo/ensure-demo.ts';
import { saveDemoMethods } from '../../demo/save-methods.ts';
import { brandUrl } from '../../features/brand/service.ts';
import { noWords } from '../arguments.ts';
import { type Command, CommandError, table } from '../command.ts';
import { withRuntime } from '../with-runtime.ts';

export const demoCommand: Command = {
  name: 'demo',
  usage: '',
  summary: 'Shows the demo world: brands, sign-ins, customers, invoices with their pay links.',
  details: ["Where there is none, it is made under DEMO=1 ('npm start' makes it by itself)."],
  options: {},
  async run(invocation) {
    noWords(invocation);
    const { world, url } = await withRuntime(async (runtime) => {
      const { demo, gatewayUrls } = runtime.config;
      const stripeUrl = gatewayUrls.get('STRIPE');
      if (demo) await ensureDemo(runtime);
      if (demo && stripeUrl !== undefined) await saveDemoMethods(runtime, gatewayModules, stripeUrl);
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
