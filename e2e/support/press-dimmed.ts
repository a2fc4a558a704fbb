import type { Locator } from '@playwright/test';

/**
 * Presses a button that is dimmed, because something is missing: it says what. By Enter, since a click by force goes to
 * where the button was, also when the page has just moved.
 */
export const pressDimmed = (button: Locator): Promise<void> => button.press('Enter');
