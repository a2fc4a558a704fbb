import * as z from 'zod/mini';
import { mailedToken, typedPassword } from './auth.ts';

/** Body of `POST /v1/ec/user-registration`. */
export const userRegistration = z.object({ token: mailedToken, password: typedPassword });
export type UserRegistration = z.infer<typeof userRegistration>;
