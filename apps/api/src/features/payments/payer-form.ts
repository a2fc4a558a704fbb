import { AppError } from '../../app-error.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Where a receipt goes, as typed; null for nothing typed. @throws {AppError} for what is no address */
export function checkReceiptAddress(typed: string | undefined): string | null {
  const email = typed?.trim() ?? '';
  if (email !== '' && !EMAIL.test(email)) {
    throw new AppError('payment.emailInvalid', { fields: [{ path: 'email', message: 'invalid' }] });
  }
  return email === '' ? null : email;
}
