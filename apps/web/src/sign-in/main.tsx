import '../theme/theme.css';
import { readStart, withoutCode } from '../features/auth/login-state.ts';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { mountPage } from '../lib/page/mount-page.tsx';
import { runtimeConfig } from '../lib/page/runtime-config.ts';
import { afterSignIn } from '../lib/session/guards.ts';
import { session } from '../lib/session/session-store.ts';

const root = document.getElementById('root');
const { history, location } = globalThis;
const start = readStart(location.search);
if (start.kind === 'code') history.replaceState(null, '', withoutCode(location.search));

// Somebody who comes back from their company is whom the code says, whoever was here before.
if (session.auth() !== null && start.kind !== 'code') {
  // A login-only route: whoever is signed in goes on, to `r` when it is safe (specification, portal §2).
  const r = new URLSearchParams(location.search).get('r');
  location.replace(afterSignIn(null, r, location.origin, runtimeConfig.brand?.allowedOrigins ?? []));
} else if (root) {
  // What the address asks for beside the form, the server has not drawn.
  mountPage(root, <SignInPage start={start} />, start.kind === 'form');
}
