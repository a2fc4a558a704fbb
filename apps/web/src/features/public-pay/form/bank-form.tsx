import { oneDebitText } from '@counterfoil/contract/paying/direct-debit-words.ts';
import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { BankFields } from '../../../paying/bank/bank-fields.tsx';
import { type BankDraft, holderOf } from '../../../paying/bank/bank-form-model.ts';
import { useBankForm } from '../../../paying/bank/use-bank-form.ts';
import { payMembers } from '../../../paying/entry/sent-members.ts';
import type { SentMethod } from '../../../paying/entry/use-entry-form.ts';
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx';
import { prepareEntry } from '../link/prepare-entry.ts';
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
  const onAccount = async (sent: SentMethod, typed: BankDraft) => {
    await onPay({
      ...payMembers('bank', sent),
      ...(bank.entry.how === 'redirect' && { ownPage: true }),
      paymentMethodType: bank.scheme,
      mandateAccepted: true,
      accountHolderName: holderOf(typed),
      ...(bank.mandate !== null && { mandateVersion: bank.mandate.version }),
      ...(info.enabledReceipt && { email: (typed['email'] ?? '').trim() }),
    });
    return undefined;
  };
  const form = useBankForm({
    bank,
    prepare: () => prepareEntry(info.uid, 'bank', bank.scheme),
    initial: {
      ...(info.enabledReceipt && { email: customer.email ?? '' }),
      country: customer.country ?? '',
    },
    agreeText: t('bank.agree'),
    onAccount,
  });
  return (
    <PayAct {...act} label={t('bank.form')} form={form} leaves={bank.entry.how === 'redirect'}>
      <ErrorSummary problems={form.problems} attempt={form.attempt} />
      <BankFields bank={bank} form={form} preface={once} />
    </PayAct>
  );
}
