import type { SignInLink, SignInLinkRequest } from '@counterfoil/contract/operator/access/sign-in-as.ts';
import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import type {
  AdminCustomer,
  CustomerUser,
  CustomerValues,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type {
  CustomerAutoPay,
  CustomerMethod,
} from '@counterfoil/contract/operator/customers/customer-methods.ts';
import type { Erasure } from '@counterfoil/contract/operator/customers/privacy.ts';
import type { ForeseenCharge } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import type { ExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReceivedFile } from '../../lib/api/calls.ts';
import { type CursorPage, consoleApi, getCursorPage } from '../../lib/api/console-api.ts';

/** What the list of customers is narrowed by. */
export interface CustomerFilter {
  /** A number, an e-mail address, or how a name begins. */
  readonly q?: string;
  readonly status?: AdminCustomer['status'];
}

const path = '/v1/admin/customers';
const PAGE = 50;
const ofCustomer = (id: string): string => `${path}/${encodeURIComponent(id)}`;
const ofUser = (id: string, email: string): string =>
  `${ofCustomer(id)}/users/by-email/${encodeURIComponent(email)}`;

/** What is typed is an address, or the beginning of a name; a whole number stands first where there is one. */
async function findCustomers(
  { q, status }: CustomerFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<AdminCustomer>> {
  const read = (by: Readonly<Record<string, string | undefined>>) =>
    getCursorPage<AdminCustomer>(path, { query: { ...by, status, limit: PAGE }, signal });
  if (q === undefined) return read({ cursor });
  if (q.includes('@')) return read({ email: q, cursor });
  const [byName, byNumber] = await Promise.all([
    read({ label: q, cursor }),
    cursor === undefined ? read({ reference: q }) : undefined,
  ]);
  const first = byNumber?.data ?? [];
  const rest = byName.data.filter(({ id }) => first.every((one) => one.id !== id));
  return { data: [...first, ...rest], nextCursor: byName.nextCursor };
}

export const customerQueries = {
  list: (filter: CustomerFilter) =>
    infiniteQueryOptions({
      queryKey: ['customers', filter],
      queryFn: ({ pageParam, signal }) => findCustomers(filter, pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['customer', id],
      queryFn: ({ signal }) => consoleApi.get<AdminCustomer>(ofCustomer(id), { signal }),
      staleTime: 0,
    }),
  users: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'users'],
      queryFn: ({ signal }) => consoleApi.get<readonly CustomerUser[]>(`${ofCustomer(id)}/users`, { signal }),
      staleTime: 0,
    }),
  openInvoices: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'open-invoices'],
      queryFn: ({ signal }) =>
        getCursorPage<AdminInvoice>('/v1/admin/invoices', {
          query: { customer: id, status: 'open', limit: 500 },
          signal,
        }),
      staleTime: 0,
    }),
  methods: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'methods'],
      queryFn: ({ signal }) =>
        consoleApi.get<readonly CustomerMethod[]>(`${ofCustomer(id)}/payment-methods`, { signal }),
      staleTime: 0,
    }),
  autoPay: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'auto-pay'],
      queryFn: ({ signal }) => consoleApi.get<CustomerAutoPay>(`${ofCustomer(id)}/auto-pay`, { signal }),
      staleTime: 0,
    }),
  nextCharges: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'next-charges'],
      queryFn: ({ signal }) =>
        getCursorPage<ForeseenCharge>('/v1/admin/auto-pay/preview', {
          query: { customer: id, limit: 10 },
          signal,
        }),
      staleTime: 0,
    }),
  paymentsFromOutside: (id: string) =>
    queryOptions({
      queryKey: ['customer', id, 'external-payments'],
      queryFn: ({ signal }) =>
        getCursorPage<ExternalPayment>('/v1/admin/external-payments', {
          query: { customer: id, limit: 10 },
          signal,
        }),
      staleTime: 0,
    }),
};

/** Makes a customer. @throws {ApiError} precondition.failed where one has this number already */
export const makeCustomer = (reference: string, values: CustomerValues) =>
  consoleApi.put<AdminCustomer>(`${path}/by-reference/${encodeURIComponent(reference)}`, values, {
    headers: { 'If-None-Match': '*' },
  });

/** Shuts a customer out of portal and Auto-Pay, or lets it in again. */
export const setCustomerActive = (id: string, isActive: boolean) =>
  consoleApi.post<AdminCustomer>(`${ofCustomer(id)}/${isActive ? 'enable' : 'disable'}`);

export const inviteUser = (id: string, email: string, displayName: string) =>
  consoleApi.put<CustomerUser>(ofUser(id, email), { displayName });

export const sendInvitationAgain = (id: string, email: string) =>
  consoleApi.post<CustomerUser>(`${ofUser(id, email)}/invitations`);

/** Shuts a user out everywhere, or lets one in again. */
export const setUserActive = (id: string, email: string, isActive: boolean) =>
  consoleApi.post<CustomerUser>(`${ofUser(id, email)}/${isActive ? 'enable' : 'disable'}`);

/** Mails the link to choose a new password. */
export const mailPasswordReset = (id: string, email: string) =>
  consoleApi.post<CustomerUser>(`${ofUser(id, email)}/password-resets`);

/** All that is held about a customer, or about one of its users, as a ZIP file. */
export const exportData = (id: string, email: string | undefined): Promise<ReceivedFile> =>
  consoleApi.postFile(`${email === undefined ? ofCustomer(id) : ofUser(id, email)}/data-export`, undefined);

/** Erases a customer or one of its users. @param forGood without it nothing changes @returns what it does or would do */
export const eraseData = (id: string, email: string | undefined, forGood: boolean): Promise<Erasure> =>
  consoleApi.post<Erasure>(`${email === undefined ? ofCustomer(id) : ofUser(id, email)}/erasure`, {
    forGood,
  });

/** Removes a saved method, for a reason. */
export const removeMethod = (id: string, methodId: string, reason: string) =>
  consoleApi.post<void>(`${ofCustomer(id)}/payment-methods/${methodId}/remove`, { reason });

/** Takes back that due invoices are charged by themselves, for a reason. */
export const endAutoPay = (id: string, reason: string) =>
  consoleApi.post<CustomerAutoPay>(`${ofCustomer(id)}/auto-pay/end`, { reason });

/** A link that opens the portal as a user, to look only; it works once. */
export const makeSignInLink = (id: string, email: string, body: SignInLinkRequest) =>
  consoleApi.post<SignInLink>(`${ofUser(id, email)}/sign-in-links`, body);

/** Ends that a person sees the customer. */
export const removeUser = (id: string, email: string) => consoleApi.delete<void>(ofUser(id, email));
