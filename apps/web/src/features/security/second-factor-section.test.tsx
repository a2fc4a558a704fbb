import type { SecondFactorState } from '@counterfoil/contract/people/second-factor.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { secondFactorQueries } from './second-factor-queries.ts';
import { SecondFactorSection } from './second-factor-section.tsx';

const off: SecondFactorState = {
  isOn: false,
  since: null,
  recoveryCodesLeft: 0,
  isRequired: false,
  hasPassword: true,
  needsPassword: false,
  methods: [],
};
const on: SecondFactorState = {
  ...off,
  isOn: true,
  since: '2026-11-05T10:00:00.000Z',
  recoveryCodesLeft: 10,
  methods: ['totp', 'recovery'],
};

/** The section as it stands on the page: its buttons, and all it says. */
async function sectionOf(state: SecondFactorState, isSuperUser = false) {
  const client = new QueryClient();
  client.setQueryData(secondFactorQueries.state().queryKey, state);
  const portal = {
    brand: { companyName: 'Northline', timeZone: 'UTC' },
    me: { needsSecondFactor: false, passwordExpiresAt: null },
    isSuperUser,
  };
  const router = createRouter({
    routeTree: createRootRoute({ component: SecondFactorSection }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PortalContext value={portal as unknown as Portal}>
        <RouterProvider router={router as never} />
      </PortalContext>
    </QueryClientProvider>,
  );
  const plain = (part: string) =>
    part
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const buttons = [...markup.matchAll(/<button.*?<\/button>/g)].map(([button]) => plain(button));
  return { buttons, text: plain(markup) };
}

describe('two-step sign-in on the Security page', () => {
  it('offers to turn it on, or to change app, turn off and make new codes', async () => {
    expect((await sectionOf(off)).buttons).toEqual(['Turn on']);
    const { buttons, text } = await sectionOf(on);
    expect(buttons).toEqual(['Change app', 'Turn off', 'New codes']);
    expect(text).toContain('10 of 10 are left');
    expect(text).not.toContain('Make new ones');
  });

  it('asks for new codes when few are left', async () => {
    expect((await sectionOf({ ...on, recoveryCodesLeft: 3 })).text).toContain('Make new ones');
    expect((await sectionOf({ ...on, recoveryCodesLeft: 4 })).text).not.toContain('Make new ones');
  });

  it('cannot be turned off where the brand asks for it, and says so', async () => {
    const { buttons, text } = await sectionOf({ ...on, isRequired: true });
    expect(buttons).toEqual(['Change app', 'New codes']);
    expect(text).toContain('Northline asks for a second step, so it cannot be turned off');
  });

  it.each([
    ['support', on, true, 'You are looking at this as support'],
    ['a person without a password', { ...off, hasPassword: false }, false, 'You sign in without a password'],
  ] as const)('is only looked at by %s', async (_who, state, isSuperUser, reason) => {
    const { buttons, text } = await sectionOf(state, isSuperUser);
    expect(buttons).toEqual([]);
    expect(text).toContain(reason);
  });
});
