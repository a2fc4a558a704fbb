import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import type { OperatorSession } from '@counterfoil/contract/operator/access/operators.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { consoleApi, setReseller } from '../lib/api/console-api.ts';

/** Who is signed in, and for which reseller they act now. */
export interface Operator extends OperatorSession {
  readonly reseller: { readonly id: number; readonly name: string } | null;
}

export const OperatorContext = createContext<Operator | null>(null);

/** The signed-in operator. @throws {Error} outside the shell */
export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new Error('nobody is signed in here');
  return operator;
}

/** Whether the operator's role allows a call; what is not allowed is not offered. */
export const useMay = (scope: ApiScope): boolean => useOperator().scopes.includes(scope);

const sessionQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: ({ signal }) => consoleApi.get<OperatorSession>('/v1/operator/session', { signal }),
  meta: { quiet: true },
});

const CHOSEN = 'counterfoil.console.reseller';

/** Asks once who is signed in, and for which reseller they acted last in this tab. */
export async function loadOperator(client: QueryClient): Promise<Operator> {
  const session = await client.fetchQuery(sessionQuery);
  const chosen = Number(globalThis.sessionStorage.getItem(CHOSEN));
  const reseller = session.resellers.find(({ id }) => id === chosen) ?? session.resellers[0] ?? null;
  setReseller(reseller?.id ?? null);
  return { ...session, reseller };
}

/** Asks anew who is signed in and for whom, after the resellers have changed. */
export const forgetOperator = (client: QueryClient): void =>
  client.removeQueries({ queryKey: sessionQuery.queryKey });

/** From now on calls are for another reseller; nothing of the one before is kept. */
export function chooseReseller(client: QueryClient, id: number): void {
  globalThis.sessionStorage.setItem(CHOSEN, String(id));
  const isOther = (key: readonly unknown[]) => key[0] !== sessionQuery.queryKey[0];
  client.removeQueries({ predicate: ({ queryKey }) => isOther(queryKey) });
}

/** Ends the session on the server. */
export const signOut = (): Promise<void> => consoleApi.delete<void>('/v1/operator/session');
