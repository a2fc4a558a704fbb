import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { SignInPage } from '../features/auth/sign-in-page.tsx';

/** The sign-in page before its brand is known, for the build. */
export const html = (): string =>
  renderToString(
    <StrictMode>
      <SignInPage />
    </StrictMode>,
  );
