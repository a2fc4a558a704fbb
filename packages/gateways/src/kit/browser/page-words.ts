/** Words of the provider's own pages, in a frame or instead of ours; few forms have one. */
export const pageWords = {
  cardFrame: 'Card details, at the payment provider',
  bankFrame: 'Bank account, at the payment provider',
  frameSlow: 'The payment provider’s form is taking longer than usual to load',
  // payments §8: the embedded button cannot be loaded.
  frameFailed:
    'Oops, something went wrong. The payment provider’s form could not be loaded. Check your connection and try again',
  leaveCard:
    'You will be taken to the payment provider’s page, which asks for your card. You come back here afterwards.',
  leaveBank:
    'You will be taken to the payment provider’s page, which asks for your bank account. You come back here afterwards.',
} as const;
