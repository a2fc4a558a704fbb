import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../app-error.ts';
import { AdminRefused } from '../admin/service.ts';

/** What a command would be refused with, as programs are told. @throws {AppError} gateway.refused */
export async function refusingGateway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new AppError('gateway.refused', { text: capitalised(error.message), cause: error });
  }
}
