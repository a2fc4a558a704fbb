import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** `POST /v1/admin/customers/{id}/users/by-email/{email}/sign-in-links`: signing in as a user of a customer, to look only. */

/** For how many minutes somebody may look: at least, at most, and where nothing is said. */
export const LOOK_MINUTES = { least: 5, most: 60, standard: 15 } as const;

export const signInLinkRequest = z
  .strictObject({
    reason: said(
      z.string().check(
        z.trim(),
        z.minLength(3),
        z.maxLength(300),
        z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
      ),
      'Why; it stands in the audit trail.',
    ),
    minutes: said(
      z._default(
        z.int().check(z.minimum(LOOK_MINUTES.least), z.maximum(LOOK_MINUTES.most)),
        LOOK_MINUTES.standard,
      ),
      'How long the session lasts; then it is over by itself.',
    ),
  })
  .check(z.meta({ examples: [{ reason: 'Ticket 5521: October PDF missing', minutes: 15 }] }));
export type SignInLinkRequest = z.output<typeof signInLinkRequest>;

/** The link that opens the portal as the user. */
export const signInLink = z
  .object({
    url: said(z.string(), 'Works once; whoever opens it looks as the user.'),
    expiresAt: said(z.string(), 'ISO 8601: until then it has to be opened.'),
    minutes: said(z.int(), 'How long the session lasts from then on.'),
  })
  .check(
    z.meta({
      examples: [
        {
          url: 'https://bills.northline.example/la/q1mZ3v0w6bq8yV0m7h1e2A?c=0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          expiresAt: '2026-03-14T10:35:00.000Z',
          minutes: 15,
        },
      ],
    }),
  );
export type SignInLink = z.infer<typeof signInLink>;
