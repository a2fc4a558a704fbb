import { envelope } from '@counterfoil/contract/envelope.ts';
import { moneyOfDay, moneyQuery, newSnooze, today } from '@counterfoil/contract/operator/running/today.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { readMoney } from './money.ts';
import { readToday, type TodayDeps } from './service.ts';
import { endSnoozes, snoozeNeed } from './snooze.ts';

const tags = ['today'];
const snoozes = '/v1/admin/today/snoozes';
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

  const act = (request: FastifyRequest) => ({
    resellerId: programOf(request).resellerId,
    by: actedBy(request),
    now: deps.clock.now(),
  });
  app.post(
    snoozes,
    {
      config: { ...config, refusals: ['need.until'] },
      schema: {
        tags,
        operationId: 'snoozeNeed',
        summary:
          'Puts a thing of Today off for the caller alone, until a moment or until it says something else',
        body: newSnooze,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deps.db.transaction((tx) => snoozeNeed(tx, request.body, act(request)));
      return reply.status(204).send(null);
    },
  );
  app.delete(
    snoozes,
    {
      config,
      schema: {
        tags,
        operationId: 'endSnoozes',
        summary: 'Shows the caller again all that they have put off',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deps.db.transaction((tx) => endSnoozes(tx, act(request)));
      return reply.status(204).send(null);
    },
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
