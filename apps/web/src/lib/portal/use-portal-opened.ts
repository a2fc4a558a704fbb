import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { usePortal } from './portal-context.ts';
import { portalQueries } from './portal-queries.ts';

/**
 * For a person who had something to do first, such as setting up a second factor or choosing a password of their own: asks
 * again who they are, which opens the rest.
 */
export function usePortalOpened(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { me } = usePortal();
  return async () => {
    if (!me.needsSecondFactor && me.passwordExpiresAt === null) return;
    await client.fetchQuery({ ...portalQueries.me(), staleTime: 0 });
    await router.invalidate();
  };
}
