import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  mailDismissal,
  mailPage,
  mailQuery,
  mailResend,
  sentMailWhole,
} from '@counterfoil/contract/operator/running/mails.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { brandOfMail } from './brand-of-mail.ts';
import { presentMail, presentWholeMail } from './present.ts';
import { listMails, type WholeMailRow } from './queries.ts';
import { dismissMail, type MailDeskDeps, type MailNamed, mailNamed, resendMail } from './service.ts';

const tags = ['mails'];
const path = '/v1/admin/mails';

/** Mails that were sent, for whoever looks after customers. */
export function adminMailRoutes(app: App, deps: MailDeskDeps): void {
  const { db } = deps;
  const named = (request: FastifyRequest & { params: { id: string } }): MailNamed => ({
    id: request.params.id,
    resellerId: programOf(request).resellerId,
  });
  const wholeOf = async (mail: WholeMailRow) => ({
    data: presentWholeMail(mail, await brandOfMail(db, mail)),
  });

  app.get(
    path,
    {
      config: { access: 'program', scope: 'mails:read' },
      schema: {
        tags,
        operationId: 'listMails',
        summary: 'Mails to customers and users, the newest first, page by page',
        description:
          'Filters are joined by and. The next page is asked for by `cursor`. A mail is here from its first try on, for 400 days.',
        querystring: mailQuery,
        response: { 200: mailPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, cursor: before, limit, ...filter } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const customerId = found?.customerId;
      const rows = await listMails(db, { ...filter, resellerId, customerId, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentMail),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'mails:read', refusals: ['mail.notFound'] },
      schema: {
        tags,
        operationId: 'getMail',
        summary: 'A mail with what it says, as text and as HTML, and what became of it',
        params: idParams,
        response: { 200: envelope(sentMailWhole) },
      },
    },
    async (request) => wholeOf(await mailNamed(deps, named(request))),
  );

  app.post(
    `${path}/:id/resend`,
    {
      config: {
        access: 'program',
        scope: 'mails:write',
        refusals: ['mail.notFound', 'mail.underWay', 'mail.addressFixed', 'mail.noAddress'],
      },
      schema: {
        tags,
        operationId: 'resendMail',
        summary: 'Sends a mail once more',
        description:
          'What it is about is read anew, so that amounts are those of now and a link in it is a new one. One that opens an account goes to the address of that account.',
        params: idParams,
        body: mailResend,
        response: { 202: envelope(sentMailWhole) },
      },
    },
    async (request, reply) => {
      const mail = named(request);
      await resendMail(deps, mail, request.body.address, actedBy(request));
      return reply.status(202).send(await wholeOf(await mailNamed(deps, mail)));
    },
  );

  app.post(
    `${path}/:id/dismiss`,
    {
      config: {
        access: 'program',
        scope: 'mails:write',
        refusals: ['mail.notFound', 'mail.underWay', 'mail.ended'],
      },
      schema: {
        tags,
        operationId: 'dismissMail',
        summary: 'Says that a mail that did not go out was seen to; it is not tried again',
        params: idParams,
        body: mailDismissal,
        response: { 200: envelope(sentMailWhole) },
      },
    },
    async (request) => {
      const mail = named(request);
      await dismissMail(deps, mail, request.body.note, actedBy(request));
      return wholeOf(await mailNamed(deps, mail));
    },
  );
}
