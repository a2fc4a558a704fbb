/** Something that happened to a passkey, as the mail tells it. */
export interface PasskeyEvent {
  readonly event: 'added' | 'removed';
  readonly name: string;
  /** The host where it works. */
  readonly host: string;
}

/** What happened to a passkey; a new password alone would not take it away. */
export function passkeySentence({ event, name, host }: PasskeyEvent): string {
  if (event === 'removed') return `The passkey “${name}” was removed. It no longer opens your account.`;
  return (
    `The passkey “${name}” was added. It opens your account at ${host} without the password. ` +
    'You can remove it in Settings, Security.'
  );
}
