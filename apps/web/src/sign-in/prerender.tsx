import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { drawPage } from '../lib/page/draw-page.tsx';

export const draw = drawPage(() => <SignInPage />);
