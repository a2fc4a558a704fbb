/** Finds an endpoint by method and path; `:id` in a pattern stands for one step of the path. */
export interface Endpointed {
  readonly method: string;
  readonly path: string;
}

/** The first route that fits, and its variable steps in order. */
export function matchRoute<R extends Endpointed>(
  routes: readonly R[],
  method: string,
  path: string,
): { readonly route: R; readonly variables: readonly string[] } | undefined {
  const steps = path.split('/');
  for (const candidate of routes) {
    if (candidate.method !== method) continue;
    const pattern = candidate.path.split('/');
    if (pattern.length !== steps.length) continue;
    const variables: string[] = [];
    const fits = pattern.every((part, index) => {
      const step = steps[index] ?? '';
      if (!part.startsWith(':')) return part === step;
      variables.push(step);
      return step !== '';
    });
    if (fits) return { route: candidate, variables: variables.map((step) => safeDecode(step)) };
  }
  return undefined;
}

function safeDecode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
