import '../theme/theme.css';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { mountPage } from '../lib/mount-page.tsx';
import { runtimeConfig } from '../lib/runtime-config.ts';
import { afterSignIn } from '../lib/session/guards.ts';
import { session } from '../lib/session/session-store.ts';

const root = document.getElementById('root');
const { location } = globalThis;

if (session.auth() !== null) {
  // A login-only route: whoever is signed in goes on, to `r` when it is safe (specification, portal §2).
  const r = new URLSearchParams(location.search).get('r');
  location.replace(afterSignIn(null, r, location.origin, runtimeConfig.brand?.allowedOrigins ?? []));
} else if (root) {
  mountPage(root, <SignInPage />);
}
