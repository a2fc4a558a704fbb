import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import type { PaymentView } from '../../paying/view.ts';

/** Everything the page of a pay link draws from. */
export interface PayView extends PaymentView<PaymentInfo> {
  /** The code that pays did not come: nothing was sent, and nothing can be. */
  readonly isIncomplete?: boolean;
}
