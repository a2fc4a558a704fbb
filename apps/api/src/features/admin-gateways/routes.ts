import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  gatewayAccount,
  gatewayAccountDetail,
  gatewayCheck,
  gatewayKind,
  gatewayParams,
  gatewaySettings,
  gatewayVerification,
  verificationOrder,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { presentKind } from './present.ts';
import {
  checkAccount,
  type GatewayApiDeps,
  listAccounts,
  requireAccount,
  setAccount,
  setInUse,
  showAccount,
} from './service.ts';
import { askForRun, showRun } from './verification-runs.ts';

const tags = ['gateways'];
const path = '/v1/admin/gateway-accounts';

const accountOf = (request: FastifyRequest & { readonly params: { readonly id: string } }) => ({
  resellerId: programOf(request).resellerId,
  id: request.params.id,
});

/** Gateway accounts of a reseller, for a provider's programs. */
export function adminGatewayRoutes(app: App, deps: GatewayApiDeps): void {
  const { db, clock } = deps;
  app.get(
    '/v1/admin/gateways',
    {
      config: { access: 'program', scope: 'gateways:read' },
      schema: {
        tags,
        operationId: 'listGateways',
        summary: 'The gateways there are, with the settings that each takes',
        response: { 200: envelope(z.array(gatewayKind)) },
      },
    },
    async () => ({ data: deps.modules.map(({ manifest }) => presentKind(manifest)) }),
  );

  app.get(
    path,
    {
      config: { access: 'program', scope: 'gateways:read' },
      schema: {
        tags,
        operationId: 'listGatewayAccounts',
        summary: 'Gateway accounts of the reseller, the one in use first',
        response: { 200: envelope(z.array(gatewayAccount)) },
      },
    },
    async (request) => ({ data: await listAccounts(deps, programOf(request).resellerId) }),
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'gateways:read', refusals: ['gateway.notFound'] },
      schema: {
        tags,
        operationId: 'getGatewayAccount',
        summary:
          'A gateway account with its settings, and what to enter at the provider; the header ETag says its state',
        description: 'The value of a secret setting is never told: only whether it is set, and since when.',
        params: idParams,
        response: { 200: envelope(gatewayAccountDetail) },
      },
    },
    async (request, reply) => {
      const { data, etag } = await showAccount(deps, accountOf(request));
      return reply.header('etag', etag).send({ data });
    },
  );

  app.put(
    `${path}/by-gateway/:gateway`,
    {
      config: {
        access: 'program',
        scope: 'gateways:write',
        preconditions: true,
        refusals: ['gateway.notFound', 'gateway.refused', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putGatewayAccount',
        summary: 'Gives the reseller a gateway, or changes the settings of the one it has',
        description:
          '201: the reseller now pays by it, and the account before goes out of use. 200: changed, or as it was. One that differs is changed only with `If-Match`, as customers are. What is left out stays as it is, so that secrets need not be sent again. An account out of use keeps its settings, with which payments made through it are found out about: another one is made, or that is taken into use by `enableGatewayAccount` first.',
        params: gatewayParams,
        body: gatewaySettings,
        response: { 200: envelope(gatewayAccountDetail), 201: envelope(gatewayAccountDetail) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const change = { resellerId, gateway: request.params.gateway, settings: request.body.settings };
      const { id, isNew } = await db.transaction((tx) =>
        setAccount(tx, deps, change, preconditionsOf(request), actedBy(request)),
      );
      const { data, etag } = await showAccount(deps, { resellerId, id });
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etag)
        .send({ data });
    },
  );

  for (const act of ['enable', 'disable'] as const)
    app.post(
      `${path}/:id/${act}`,
      {
        config: {
          access: 'program',
          scope: 'gateways:write',
          refusals: act === 'enable' ? ['gateway.notFound', 'gateway.refused'] : ['gateway.notFound'],
        },
        schema: {
          tags,
          operationId: `${act}GatewayAccount`,
          summary:
            act === 'enable'
              ? 'Takes an account into use with the settings it has; the one before goes out of use'
              : 'Takes an account out of use; payments made through it are still found out about',
          params: idParams,
          response: { 200: envelope(gatewayAccountDetail) },
        },
      },
      async (request) => {
        const of = accountOf(request);
        await db.transaction((tx) => setInUse(tx, deps, of, act === 'enable', actedBy(request)));
        const { data } = await showAccount(deps, of);
        return { data };
      },
    );

  app.post(
    `${path}/:id/check`,
    {
      config: { access: 'program', scope: 'gateways:write', refusals: ['gateway.notFound'] },
      schema: {
        tags,
        operationId: 'checkGatewayAccount',
        summary: 'Asks the gateway whether the keys are good; nothing is charged',
        params: idParams,
        response: { 200: envelope(gatewayCheck) },
      },
    },
    async (request) => ({ data: await checkAccount(deps, accountOf(request)) }),
  );

  app.get(
    `${path}/:id/verification`,
    {
      config: {
        access: 'program',
        scope: 'gateways:read',
        refusals: ['gateway.notFound'],
      },
      schema: {
        tags,
        operationId: 'getGatewayVerification',
        summary: 'The last run of the cases against an account, and how far it is',
        params: idParams,
        response: { 200: envelope(gatewayVerification) },
      },
    },
    async (request) => ({ data: await shown(request) }),
  );

  app.post(
    `${path}/:id/verification`,
    {
      config: {
        access: 'program',
        scope: 'gateways:write',
        refusals: [
          'gateway.notFound',
          'gateway.refused',
          'gateway.liveKeys',
          'gateway.unknownKeys',
          'gateway.verifying',
        ],
      },
      schema: {
        tags,
        operationId: 'verifyGatewayAccount',
        summary:
          'Proves the gateway by its cases with test keys; a worker goes through them for some minutes',
        description:
          'It pays, refunds, saves and removes at the gateway with the provider’s test cards, and gives back what it made. Live keys are refused before anything is sent. One run of an account at a time.',
        params: idParams,
        body: verificationOrder,
        response: { 202: envelope(gatewayVerification) },
      },
    },
    async (request, reply) => {
      const of = accountOf(request);
      await requireAccount(deps, db, of);
      await db.transaction((tx) => askForRun(tx, deps, of, request.body, actedBy(request)));
      return reply.status(202).send({ data: await shown(request) });
    },
  );

  const shown = async (request: Parameters<typeof accountOf>[0]) => {
    const of = accountOf(request);
    const { module } = await requireAccount(deps, db, of);
    return showRun({ db, clock }, of, module.manifest);
  };
}
