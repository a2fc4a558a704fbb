import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { feeFor, feeRuleOf } from '@counterfoil/domain/money/fee.ts';
import { addMoney, formatDecimal, parseMoney } from '@counterfoil/domain/money/money.ts';
import { PartAmount } from '../../../paying/part-amount.tsx';
import { isChoice, type Part, typedPart } from '../../../paying/part-payment.ts';
import { type PayKind, type ShownPrice, wholePrice } from './part-price.ts';

/** What may be paid instead of all; undefined where there is nothing to choose. */
function partOf({ partPayment, chargeStep, currency }: PaymentInfo): Part | undefined {
  if (partPayment === null) return undefined;
  const { least, most, leastRest } = partPayment;
  const part = {
    least: parseMoney(least, currency),
    most: parseMoney(most, currency),
    leastRest: leastRest === null ? undefined : parseMoney(leastRest, currency),
    step: chargeStep === null ? undefined : parseMoney(chargeStep, currency),
  };
  return isChoice(part) ? part : undefined;
}

/** The price of what was typed; the server works it out the same way, and refuses any other. */
export function partPrice(info: PaymentInfo, text: string | undefined, kind: PayKind = 'card'): ShownPrice {
  const part = partOf(info);
  const { partPayment } = info;
  if (text === undefined || partPayment === null || part === undefined) return wholePrice(info, kind);
  const typed = typedPart(text, part, info.currencySymbol);
  if (typed === undefined) return { ...wholePrice(info, kind), isWrong: true };
  const { feeSetting } = (kind === 'bank' ? info.bank : undefined) ?? { feeSetting: partPayment.fee };
  const fee = feeFor(typed, feeRuleOf(feeSetting), part.step);
  return {
    kind,
    amount: formatDecimal(typed),
    fee: formatDecimal(fee),
    total: formatDecimal(addMoney(typed, fee)),
    isPart: typed.minor < part.most.minor,
    isWrong: false,
  };
}

interface PartChoiceProps {
  readonly info: PaymentInfo;
  readonly text: string | undefined;
  readonly id: string;
  readonly insists: boolean;
  readonly onText: (text: string | undefined) => void;
}

/** 'Pay another amount', where there is one to choose. Its code is loaded only where the brand offers that. */
export function PartChoice({ info, text, ...rest }: PartChoiceProps) {
  const part = partOf(info);
  return part && <PartAmount {...{ part, text, ...rest }} isWrong={partPrice(info, text).isWrong} />;
}
