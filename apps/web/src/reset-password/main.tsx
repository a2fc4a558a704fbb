import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../theme/theme.css';
import { ResetPasswordPage } from '../features/auth/reset-password-page.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ResetPasswordPage />
    </StrictMode>,
  );
}
