/** How an endpoint is declared: its parameters, what it is for, and what it does. */
import type { Operation } from '@counterfoil/sandbox/faults.ts';
import type { FormMap } from '@counterfoil/sandbox/form.ts';
import { type ReadFields, type Rule, readParams } from '@counterfoil/sandbox/params.ts';
import type { Call } from './account.ts';
import { expand, forBrowser, visible } from './render.ts';

type Fields = Readonly<Record<string, Rule<unknown>>>;

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Whether a publishable key may call it. */
  readonly browser: boolean;
  /** Which faults hit it. */
  readonly operation: Operation | undefined;
  /** Runs the call; the answer is what the caller sees. */
  run(call: Call, path: readonly string[], form: FormMap): Record<string, unknown>;
}

/**
 * Declares an endpoint.
 * @param path with `:id` for a variable step; the variables arrive in order
 */
export function route<F extends Fields>(
  method: Route['method'],
  path: string,
  fields: F,
  run: (call: Call, params: ReadFields<F>, ...variables: readonly string[]) => object,
  options: { readonly operation?: Operation; readonly browser?: boolean } = {},
): Route {
  return {
    method,
    path,
    browser: options.browser ?? false,
    operation: options.operation,
    run(call, variables, form) {
      const params = readParams(fields, form);
      const result = run(call, params, ...variables);
      const isIntent = 'object' in result && /^(payment|setup)_intent$/.test(String(result.object));
      const shown = call.publishable && isIntent ? forBrowser(result) : visible(result);
      const paths: unknown = (params as { readonly expand?: unknown }).expand;
      if (Array.isArray(paths)) expand(call.account, shown, paths.map(String));
      return shown;
    },
  };
}
