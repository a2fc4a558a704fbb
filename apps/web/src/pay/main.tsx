import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../theme/theme.css';
import { openPayFlow } from '../features/public-pay/open-pay-flow.ts';
import { PayPage } from '../features/public-pay/pay-page.tsx';

const root = document.getElementById('root');
if (root) {
  const { flow, kept } = openPayFlow();
  createRoot(root).render(
    <StrictMode>
      <PayPage flow={flow} kept={kept} />
    </StrictMode>,
  );
}
