import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import ChangePasswordPage from '../features/account/change-password-page.tsx';
import { ResetPasswordPage } from '../features/auth/reset-password-page.tsx';
import { ResetRequestForm } from '../features/auth/reset-request-form.tsx';
import { SecondFactorForm } from '../features/auth/second-factor-form.tsx';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { RegistrationForm } from '../features/registration/registration-form.tsx';
import { type Portal, PortalContext } from '../lib/portal/portal-context.ts';

const nothing = () => undefined;
const portal = {
  me: { email: 'ada@x.example', displayName: 'Ada', customers: [] },
  brand: { name: 'Acme' },
  resellerName: 'Acme',
} as unknown as Portal;

/** Name, kind and token of each field, as a password manager reads them. */
const fieldsOf = (markup: string) =>
  [...markup.matchAll(/<input\b[^>]*>/g)].map(([field]) => {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(field)?.[1];
    return [read('name'), read('type'), read('autocomplete')];
  });

describe('fields tell password managers what they hold', () => {
  it.each([
    [
      'sign-in',
      <SignInPage key="1" />,
      [
        ['username', 'text', expect.stringMatching(/^username( webauthn)?$/)],
        ['password', 'password', 'current-password'],
      ],
    ],
    [
      'second factor',
      <SecondFactorForm
        key="2"
        due={{ token: 't', methods: ['totp'] }}
        onSignedIn={nothing}
        onBack={nothing}
      />,
      [['otp', 'text', 'one-time-code']],
    ],
    ['reset request', <ResetRequestForm key="3" onEvent={nothing} />, [['email', 'text', 'username']]],
    ['reset', <ResetPasswordPage key="4" />, [['password', 'password', 'new-password']]],
    [
      'registration',
      <RegistrationForm key="5" onEnd={nothing} />,
      [
        ['password', 'password', 'new-password'],
        ['confirmation', 'password', 'new-password'],
      ],
    ],
    [
      'change',
      <QueryClientProvider key="6" client={new QueryClient()}>
        <PortalContext value={portal}>
          <ChangePasswordPage />
        </PortalContext>
      </QueryClientProvider>,
      [
        ['username', 'text', 'username'],
        ['oldPassword', 'password', 'current-password'],
        ['newPassword', 'password', 'new-password'],
        ['newPasswordConfirmation', 'password', 'new-password'],
      ],
    ],
  ] as const)('%s', (_name, form, fields) => {
    expect(fieldsOf(renderToStaticMarkup(form))).toEqual(fields);
  });
});
