import { envelope } from '@counterfoil/contract/envelope.ts';
import { preferenceChange, preferenceParams, preferences } from '@counterfoil/contract/preferences.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { myPreferences, type PreferencesDeps, setPreference } from './service.ts';

const tags = ['preferences'];

/** How the signed-in user likes the portal: remembered for them, not for their browser. */
export function preferencesRoutes(app: App, deps: PreferencesDeps): void {
  app.get(
    '/v1/ec/preferences',
    {
      config: { access: 'session' },
      schema: {
        tags,
        summary: 'All choices of the user, by key',
        response: { 200: envelope(preferences) },
      },
    },
    async (request) => ({ data: await myPreferences(deps, sessionOf(request).userId) }),
  );

  app.put(
    '/v1/ec/preferences/:key',
    {
      config: { access: 'session', inPersonOnly: true },
      schema: {
        tags,
        summary: 'Keeps one choice of the user, 50 at most of 4 KB each; null removes it',
        params: preferenceParams,
        body: preferenceChange,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await setPreference(deps, sessionOf(request).userId, request.params.key, request.body.value);
      return reply.status(204).send(null);
    },
  );
}
