import * as z from 'zod/mini';
import { typedPassword } from './auth.ts';

/** Body of `POST /v1/ec/password`. */
export const passwordChange = z.object({ oldPassword: typedPassword, newPassword: typedPassword });
export type PasswordChange = z.infer<typeof passwordChange>;
