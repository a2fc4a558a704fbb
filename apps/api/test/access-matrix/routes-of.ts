import type { App } from '../../src/http/app-type.ts';

/** Every address the server answers at, as its routes name it, with its methods. */
export function routesOf(app: App): { readonly path: string; readonly methods: readonly string[] }[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] =
        /^((?:│ {3}| {4})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      above.length = indent.length / 4;
      const path = above.join('') + part;
      above.push(part);
      return methods === undefined ? [] : [{ path, methods: methods.split(', ') }];
    });
}
