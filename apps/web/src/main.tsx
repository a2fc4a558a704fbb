import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/theme.css';
import { createQueryClient } from './lib/query-client.ts';
import { recoverByItself } from './lib/recovery.ts';
import { followOtherTabs } from './lib/session/other-tabs.ts';
import { watchReturn } from './lib/session/shown-again.ts';
import { followTyped } from './lib/session/typed.ts';
import { paymentWatch } from './paying/payment-watch.ts';
import { createPortalRouter } from './shell/router.tsx';

const client = createQueryClient();
const router = createPortalRouter(client);

recoverByItself(client, () => {
  const isBroken = router.state.matches.some(({ status }) => status === 'error');
  if (isBroken) void router.invalidate();
  return isBroken;
});
followTyped();
followOtherTabs();
watchReturn();
// Something was paid in another tab: whatever is on screen is asked for again.
paymentWatch.listen(() => void client.invalidateQueries());

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
