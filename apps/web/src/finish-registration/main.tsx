import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../theme/theme.css';
import { FinishRegistrationPage } from '../features/registration/finish-registration-page.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <FinishRegistrationPage />
    </StrictMode>,
  );
}
