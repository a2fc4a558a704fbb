import { envelope } from '@counterfoil/contract/envelope.ts';
import { moneyOfDay, moneyQuery, today } from '@counterfoil/contract/operator/today.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { readMoney } from './money.ts';
import { readToday, type TodayDeps } from './service.ts';

const tags = ['today'];
const config = { access: 'program', scope: 'today:read' } as const;

/** What needs a person now, and the money of a day. */
export function todayRoutes(app: App, deps: TodayDeps): void {
  app.get(
    '/v1/admin/today',
    {
      config,
      schema: {
        tags,
        operationId: 'getToday',
        summary: 'What needs a person now, in groups, most money first',
        description:
          'Payments in review, refunds that wait, rows in quarantine, mails that were not delivered, events of gateways that cannot be followed up, keys that run out, a gateway that takes nothing, and, for the installation, jobs that fail. Of each group as far as the scopes of the caller allow.',
        response: { 200: envelope(today) },
      },
    },
    async (request) => ({ data: await readToday(deps, programOf(request)) }),
  );

  app.get(
    '/v1/admin/money',
    {
      config,
      schema: {
        tags,
        operationId: 'getMoneyOfDay',
        summary: 'What was collected and given back in a day, by gateway and currency',
        querystring: moneyQuery,
        response: { 200: envelope(moneyOfDay) },
      },
    },
    async (request) => {
      const { day } = request.query;
      const wanted = day === undefined ? undefined : parseDay(day);
      return { data: await readMoney(deps.db, programOf(request).resellerId, wanted, deps.clock.now()) };
    },
  );
}
