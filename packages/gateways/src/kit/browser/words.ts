/** Words of the entries, wherever they stand. */
export const words = {
  card: 'Card details',
  number: 'Card number',
  expiry: 'Expiry date',
  cvc: 'CVC',
  missingCard: 'Enter your card details',
  missingNumber: 'Enter your card number',
  missingExpiry: 'Enter the expiry date',
  missingCvc: 'Enter the security code',
  slow: 'The card form is taking longer than usual to load',
  failed: 'The card form could not be loaded. Check your connection and try again',
  retry: 'Try again',
  notReady: 'The card form has not loaded yet',
  cardFrame: 'Card details, at the payment provider',
  bankFrame: 'Bank account, at the payment provider',
  frameSlow: 'The payment provider’s form is taking longer than usual to load',
  frameFailed: 'The payment provider’s form could not be loaded. Check your connection and try again',
  leaveCard:
    'You will be taken to the payment provider’s page, which asks for your card. You come back here afterwards.',
  leaveBank:
    'You will be taken to the payment provider’s page, which asks for your bank account. You come back here afterwards.',
  unreachable: 'The payment provider could not be reached. Check your connection and try again',
} as const;
