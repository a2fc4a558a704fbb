import type { CDPSession, Page } from '@playwright/test';

/** A device with a screen lock that its owner opens whenever it asks. */
export async function addDevice(page: Page): Promise<{ readonly session: CDPSession; readonly id: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id: authenticatorId };
}
