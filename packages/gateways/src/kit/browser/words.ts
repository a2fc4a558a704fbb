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
  unreachable: 'The payment provider could not be reached. Check your connection and try again',
} as const;
