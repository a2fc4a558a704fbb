import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { portalQueries } from '../../lib/portal/portal-queries.ts';

/** For a person who had to set up a second factor first: asks again who they are, which opens the rest. */
export function usePortalOpened(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { me } = usePortal();
  return async () => {
    if (!me.needsSecondFactor) return;
    await client.fetchQuery({ ...portalQueries.me(), staleTime: 0 });
    await router.invalidate();
  };
}
