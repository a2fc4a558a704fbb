import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../theme/theme.css';
import './console.css';
import { recoverByItself } from '../lib/recovery.ts';
import { createConsoleQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';

const client = createConsoleQueryClient();
const router = createConsoleRouter(client);

recoverByItself(client, () => {
  const isBroken = router.state.matches.some(({ status }) => status === 'error');
  if (isBroken) void router.invalidate();
  return isBroken;
});

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
