/** How the person proved who they are. */
export type SignInMethod = 'password' | 'sso' | 'passkey' | 'code';
