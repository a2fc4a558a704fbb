import { type QuantityUnit, quantityUnits } from '@counterfoil/domain/money/quantity.ts';
import { listRecordTypes, setUnit } from '../../../features/imports/usage/record-types.ts';
import { needed, neededNumber, noWords, resellerOption } from '../../arguments/arguments.ts';
import { type Command, CommandError, table, UsageError } from '../../command.ts';
import { recordCommand } from '../../record-command.ts';
import { inTransaction, withRuntime } from '../../with-runtime.ts';

const list: Command = {
  usage: '--reseller <id>',
  options: resellerOption,
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const recordTypes = await withRuntime(({ databases }) => listRecordTypes(databases.web, resellerId));
    const rows = recordTypes.map(({ service, code, description, unit }) => [
      service,
      code,
      description,
      unit ?? '-',
    ]);
    invocation.print({ recordTypes }, table(['service', 'type', 'description', 'unit'], rows));
    return 0;
  },
};

/** @throws {UsageError} */
function checkedUnit(text: string): QuantityUnit | null {
  const unit = quantityUnits.find((one) => one === text);
  if (unit === undefined && text !== 'none')
    throw new UsageError(`--unit takes none or one of ${quantityUnits.join(', ')}, not '${text}'`);
  return unit ?? null;
}

const set: Command = {
  usage: '--reseller <id> --service <code> --type <code> --unit <unit>',
  details: ['All records of the type are shown in it from now on; their numbers stay what they are.'],
  options: {
    ...resellerOption,
    service: { type: 'string', value: '<code>', help: 'the service, by its code' },
    type: { type: 'string', value: '<code>', help: 'the record type, by its code' },
    unit: { type: 'string', value: '<unit>', help: 'second, megabyte, message …; none: not known' },
  },
  async run(invocation) {
    noWords(invocation);
    const resellerId = neededNumber(invocation, 'reseller');
    const type = { service: needed(invocation, 'service'), code: needed(invocation, 'type') };
    const unit = checkedUnit(needed(invocation, 'unit'));
    await inTransaction(async (tx, { clock }) => {
      const found = await setUnit(tx, resellerId, type, unit);
      if (found === undefined)
        throw new CommandError(
          `reseller ${resellerId} has no record type '${type.code}' of service '${type.service}'`,
        );
      const detail = { ...type, unit: unit ?? 'none', before: found.before ?? 'none' };
      await recordCommand(tx, clock.now(), { action: 'recordType.unitSet', resellerId, detail });
    });
    const words = unit === null ? 'is not known any more' : `is ${unit}`;
    invocation.print({ resellerId, ...type, unit }, [`The unit of '${type.code}' ${words}.`]);
    return 0;
  },
};

export const actions = { list, set };
