import { useEffect } from 'react';
import { revokeToken } from '../lib/api/token.ts';
import { runtimeConfig } from '../lib/page/runtime-config.ts';
import { session } from '../lib/session/session-store.ts';
import { LoadingFrame } from './frame.tsx';

/** Clears auth, customer and super-user flag, ends the session on the server, and goes to /login. */
export function LogoutPage() {
  useEffect(() => {
    const stored = session.auth();
    session.clear();
    const ended = stored
      ? revokeToken(globalThis.fetch.bind(globalThis), runtimeConfig.apiHost, stored.refresh_token)
      : Promise.resolve();
    void ended.then(() => globalThis.location.replace('/login'));
  }, []);
  return <LoadingFrame />;
}
