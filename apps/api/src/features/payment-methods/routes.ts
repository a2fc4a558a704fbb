import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  cardChange,
  defaultMethod,
  methodId,
  type NewMethod,
  newMethod,
  SHARED_METHOD_PATHS,
  savedSource,
  setupAnswer,
} from '@counterfoil/contract/paying/payment-methods.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { ReadBody, SavedMethodPaths } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { refuseNumbers } from '../../http/guards/number-guard.ts';
import { numbersOf } from '../../http/numbers/route-numbers.ts';
import { idempotencyKeyOf } from '../../http/requests/idempotency-key.ts';
import { leaveOutEmpty } from '../../http/requests/left-out.ts';
import { type Entered, enteredNumbers, enteredOf, METHOD_NUMBERS } from '../entries/service.ts';
import { ownerTyped, PaymentTerms } from '../payments/service.ts';
import { addingOf } from './acting.ts';
import { type Adding, type AddingDeps, addMethod } from './adding.ts';
import { changeMethod, methodsOf, removeMethod, setDefault } from './service.ts';

type Role = keyof SavedMethodPaths;

/**
 * The calls for saved methods, at the shared paths and at every path a gateway's manifest names. Each path serves the
 * customers whose reseller has a gateway that names it; for others there is nothing there.
 */
export function paymentMethodRoutes(app: App, deps: AddingDeps, modules: readonly GatewayModule[]): void {
  const all: readonly SavedMethodPaths[] = [
    SHARED_METHOD_PATHS,
    ...modules.flatMap(({ manifest }) => manifest.saved?.paths ?? []),
  ];
  const paths = (role: Role) => new Set(all.map((one) => one[role]));
  const defaults = paths('defaultSource');
  for (const path of paths('cards')) {
    listRoute(app, deps, path);
    addRoute(app, deps, 'cards', path, modules);
    if (!defaults.has(path)) changeRoute(app, deps, path);
    removeRoutes(app, deps, path);
  }
  for (const path of paths('accounts')) {
    if (paths('cards').has(path)) continue;
    listRoute(app, deps, path);
    // Those of the shared path are saved by a set-up, and changed as cards are.
    if (path === SHARED_METHOD_PATHS.accounts) continue;
    addRoute(app, deps, 'accounts', path, modules);
    changeRoute(app, deps, path, 'accounts');
  }
  for (const path of defaults) {
    if (paths('cards').has(path)) changeOrDefaultRoute(app, deps, path);
    else defaultRoute(app, deps, path);
  }
  detachRoute(app, deps, `${SHARED_METHOD_PATHS.accounts}/:id/detach`);
}

const pathsOf = ({ account }: Pick<Adding, 'account'>): SavedMethodPaths =>
  account.module.manifest.saved?.paths ?? SHARED_METHOD_PATHS;

/** Who acts, when this path is one of their gateway's. */
async function actingAt(
  deps: AddingDeps,
  request: FastifyRequest,
  role: Role,
  path: string,
): Promise<Adding> {
  const adding = await addingOf(deps, request);
  if (pathsOf(adding)[role] !== path) throw new AppError('request.notFound');
  return adding;
}

function listRoute(app: App, deps: AddingDeps, path: string): void {
  app.get(
    path,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Saved cards or bank accounts of the customer, the oldest first',
        response: { 200: envelope(z.array(savedSource)) },
      },
    },
    async (request) => {
      const account = await deps.accounts.activeFor(scopeOf(request).resellerId);
      if (account === undefined) return { data: [] };
      const { cards, accounts } = pathsOf({ account });
      if (cards !== path && accounts !== path) throw new AppError('request.notFound');
      const kind: MethodKind | null = cards === accounts ? null : cards === path ? 'card' : 'bank';
      return { data: await methodsOf(deps, scopeOf(request), account, kind) };
    },
  );
}

/** The bodies that gateways declare for a path. */
const bodiesAt = (modules: readonly GatewayModule[], role: 'cards' | 'accounts', path: string) =>
  modules.flatMap(({ manifest: { id, saved } }) =>
    saved?.paths[role] === path
      ? (saved.bodies ?? []).filter(({ at }) => at === role).map((body) => ({ id, body }))
      : [],
  );

/** The body of a path: the common one, with the members of its gateways beside. None of these is required. */
function bodySchema(modules: readonly GatewayModule[], role: 'cards' | 'accounts', path: string) {
  const own = bodiesAt(modules, role, path).flatMap(({ body }) => Object.entries(body.members));
  return z.extend(newMethod, Object.fromEntries(own));
}

/** The common members of a body; one that a gateway has taken in a form of its own is read by it alone. */
function commonOf(body: Readonly<Record<string, unknown>>): NewMethod {
  const shape: Readonly<Record<string, z.ZodMiniType>> = newMethod.shape;
  const common = Object.entries(body).filter(
    ([name, value]) => shape[name] !== undefined && z.safeParse(shape[name], value).success,
  );
  return z.parse(newMethod, Object.fromEntries(common));
}

function addRoute(
  app: App,
  deps: AddingDeps,
  role: 'cards' | 'accounts',
  path: string,
  modules: readonly GatewayModule[],
): void {
  app.post(
    path,
    {
      config: {
        access: 'customer',
        areas: ['paymentsEnabled'],
        limit: 'saveMethod',
        idempotencyKey: true,
        numbers: METHOD_NUMBERS,
      },
      preValidation: leaveOutEmpty,
      schema: {
        tags: ['payment-methods'],
        summary:
          'Saves a method by what the provider’s script or page made of it, or by its numbers where taken',
        body: bodySchema(modules, role, path),
        response: { 200: envelope(setupAnswer) },
      },
    },
    async (request) => {
      // What its gateway has added beside is read by the gateway alone.
      const body = commonOf(request.body);
      const { email, type, mandateAccepted, mandateVersion } = body;
      const key = idempotencyKeyOf(request.headers);
      const { token: _checkedByItsProvider, ...members } = request.body;
      refuseNumbers({ ...members, 'idempotency-key': key }, [
        'cardHolder',
        'accountHolderName',
        'nameOnAccount',
      ]);
      const adding = await actingAt(deps, request, role, path);
      const terms = new PaymentTerms(adding.brand, adding.account);
      terms.refuseNumbersAsTokens({ token: body.token });
      const { manifest } = adding.account.module;
      if (type !== undefined && type !== manifest.code) throw new AppError('paymentMethod.otherProvider');
      const own = manifest.saved?.bodies
        ?.filter(({ at }) => at === role)
        .map((one) => one.read(request.body))
        .find((read) => read !== undefined);
      const scheme = schemeOf(adding, body, role, own?.kind);
      const entered = own === undefined ? enteredOf(body.token, body) : enteredBy(own, body.entryId);
      const numbers = enteredNumbers(
        { numbers: numbersOf(request), secrets: deps.secrets },
        terms,
        scheme === 'card' ? 'card' : 'bank',
        body,
        {
          isBesideOther: entered.token !== '' || entered.fields !== undefined,
          more: own?.beside,
          fields: entered.fields,
        },
      );
      return {
        data: await addMethod(deps, adding, {
          entered: { ...entered, numbers },
          email,
          scheme,
          clientKey: key,
          owner: { ...ownerTyped(body), ...own?.owner },
          isAgreed: mandateAccepted === true,
          mandateVersion,
        }),
      };
    },
  );
}

const enteredBy = (
  { token = '', entryRemote, fields, beside }: ReadBody,
  entryId: string | undefined,
): Entered => ({
  token,
  ...(entryId !== undefined && { entry: { entryId } }),
  ...(entryRemote !== undefined && { entry: { remote: entryRemote } }),
  ...(fields && { fields }),
  ...(beside && { beside }),
});

/** 'card', or the kind of account: as the body says, else as the path does. */
function schemeOf(
  { brand, account }: Adding,
  { paymentMethodType }: NewMethod,
  role: 'cards' | 'accounts',
  kind: MethodKind | undefined,
): string {
  if (paymentMethodType !== undefined) return paymentMethodType;
  const isBank = (kind ?? (role === 'accounts' ? 'bank' : 'card')) === 'bank';
  return isBank ? (new PaymentTerms(brand, account).debit()?.scheme ?? '') : 'card';
}

function changeRoute(app: App, deps: AddingDeps, path: string, role: Role = 'cards'): void {
  app.put(
    path,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Changes expiry, names or address of a saved method; what is not given stays',
        body: cardChange,
        response: { 200: envelope(savedSource) },
      },
    },
    async (request) => {
      refuseNumbers(request.body, ['name']);
      const adding = await actingAt(deps, request, role, path);
      return { data: await changeMethod(deps, adding, request.body) };
    },
  );
}

/** What says nothing but which method makes it the default; all else changes it. */
function changeOrDefaultRoute(app: App, deps: AddingDeps, path: string): void {
  app.put(
    path,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Makes a saved method the default where only its id is given, else changes its expiry',
        body: z.extend(cardChange, { isDefault: defaultMethod.shape.isDefault }),
        response: { 200: envelope(savedSource), 204: z.null() },
      },
    },
    async (request, reply) => {
      const { isDefault, ...change } = request.body;
      refuseNumbers(change, ['name']);
      const adding = await actingAt(deps, request, 'cards', path);
      if (Object.keys(change).length > 1) return { data: await changeMethod(deps, adding, change) };
      if (isDefault === false)
        throw new AppError('request.invalid', { fields: [{ path: 'isDefault', message: 'must be true' }] });
      await setDefault(deps, adding, change.id);
      return reply.status(204).send(null);
    },
  );
}

function removeRoutes(app: App, deps: AddingDeps, path: string): void {
  const schema = {
    tags: ['payment-methods'],
    summary: 'Removes a saved method; the first remaining one becomes the default',
    response: { 204: z.null() },
  };
  app.delete(
    path,
    { config: { access: 'customer', areas: ['paymentsEnabled'] }, schema: { ...schema, body: methodId } },
    async (request, reply) => {
      await removeMethod(deps, await actingAt(deps, request, 'cards', path), request.body.id);
      return reply.status(204).send(null);
    },
  );
  app.delete(
    `${path}/:id`,
    { config: { access: 'customer', areas: ['paymentsEnabled'] }, schema: { ...schema, params: methodId } },
    async (request, reply) => {
      await removeMethod(deps, await actingAt(deps, request, 'cards', path), request.params.id);
      return reply.status(204).send(null);
    },
  );
}

function detachRoute(app: App, deps: AddingDeps, path: string): void {
  app.delete(
    path,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Removes a saved bank account or card; the first remaining method becomes the default',
        params: methodId,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const adding = await actingAt(deps, request, 'accounts', SHARED_METHOD_PATHS.accounts);
      await removeMethod(deps, adding, request.params.id);
      return reply.status(204).send(null);
    },
  );
}

function defaultRoute(app: App, deps: AddingDeps, path: string): void {
  app.put(
    path,
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Makes a saved method the customer’s default',
        body: defaultMethod,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id = request.body.cardToken, cardToken = id, isDefault } = request.body;
      if (id !== cardToken) throw new AppError('paymentMethod.notFound');
      const unfit = (name: string, message: string) =>
        new AppError('request.invalid', { fields: [{ path: name, message }] });
      if (id === undefined) throw unfit('id', 'missing');
      // There is always one default: it ends by another one becoming it.
      if (isDefault === false) throw unfit('isDefault', 'must be true: make another method the default');
      await setDefault(deps, await actingAt(deps, request, 'defaultSource', path), id);
      return reply.status(204).send(null);
    },
  );
}
