import { oneDebitText } from '@counterfoil/contract/direct-debit-words.ts';
import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { BankFields } from '../../../paying/bank/bank-fields.tsx';
import type { BankDraft } from '../../../paying/bank/bank-form-model.ts';
import { tokeniseAccount } from '../../../paying/bank/tokenise-account.ts';
import { useBankForm } from '../../../paying/bank/use-bank-form.ts';
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx';
import { t } from './bank-messages.ts';
import { PayAct } from './pay-act.tsx';
import type { KindFormProps } from './pay-form.tsx';

interface BankFormProps extends KindFormProps {
  readonly bank: NonNullable<PaymentInfo['bank']>;
}

/** A bank account that is debited once: its fields, the words its holder agrees to, and the button that pays. */
export function BankForm({ bank, onPay, ...act }: BankFormProps) {
  const { info, price } = act;
  // Word for word what the server keeps of the agreement, with the amount as it writes it.
  const amount = `${info.currencySymbol}${price.total}`;
  const once = oneDebitText({ amount, company: info.companyName, number: info.InvoiceNumber });
  const { customer } = info;
  const onSend = async (typed: BankDraft) => {
    const made = await tokeniseAccount(bank.entry, bank.scheme, typed, {}, t('bank.noFields'));
    if ('problem' in made) return made.problem;
    await onPay({
      paymentMethodId: made.token,
      paymentMethodType: bank.scheme,
      mandateAccepted: true,
      accountHolderName: (typed['accountHolderName'] ?? typed['nameOnAccount'] ?? '').trim(),
      ...(bank.mandate !== null && { mandateVersion: bank.mandate.version }),
      ...(info.enabledReceipt && { email: (typed['email'] ?? '').trim() }),
    });
    return undefined;
  };
  const form = useBankForm({
    bank,
    initial: {
      ...(info.enabledReceipt && { email: customer.email ?? '' }),
      country: customer.country ?? '',
    },
    agreeText: t('bank.agree'),
    onSend,
  });
  return (
    <PayAct {...act} label={t('bank.form')} form={form}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <BankFields bank={bank} form={form} preface={once} />
    </PayAct>
  );
}
