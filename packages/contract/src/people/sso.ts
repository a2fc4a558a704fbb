import * as z from 'zod/mini';

const text = z.string().check(z.maxLength(2000));

/** Query of `GET /sso/login`: the company's name, the kind of client (2: the portal), and where to go afterwards. */
export const ssoLoginQuery = z.object({
  b: z.optional(z.string().check(z.maxLength(200))),
  ct: z.optional(z.string().check(z.maxLength(10))),
  r: z.optional(text),
});

/** Query of `GET /sso/callback`, as an OpenID provider sends it; more may stand there. */
export const ssoCallbackQuery = z.object({
  state: z.string().check(z.minLength(1), z.maxLength(200)),
  code: z.optional(text),
  error: z.optional(text),
  iss: z.optional(text),
});
