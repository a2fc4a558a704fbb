import { call, constant, control, error, field, type Row, rule, section } from '../../row.ts';

const ippay = section({ prefix: 'payments.ippay', source: 'payments §3' }, [
  field('ipPayCard.type', 'ipPayCard has type.'),
  field('ipPayCard.number', 'ipPayCard has number.'),
  field('ipPayBankAccount.accNum', 'ipPayBankAccount has accNum.'),
  control('choice', 'Adding with IPpay offers a choice of card or ACH.', {
    source: 'payments §2 Payment methods',
  }),
  rule('frame', 'The choice renders a hosted button inside a frame.', {
    source: 'payments §2 Payment methods',
  }),
  constant('message-000', "A hosted-frame message of '000' reloads the page.", {
    text: '000',
    source: 'payments §2 Payment methods',
  }),
  constant('message-afs-103', "A hosted-frame message of 'AFS-103' reloads the page.", {
    text: 'AFS-103',
    source: 'payments §2 Payment methods',
  }),
  error('message-other', 'Any other short message shows a warning.', {
    source: 'payments §2 Payment methods',
  }),
  constant('warning-time', 'The warning disappears after 5 seconds.', {
    source: 'payments §2 Payment methods, §9',
  }),
  call('cards', 'GET /v1/ec/ippay/cards lists cards and accounts (type 4).', {
    source: 'payments §7; decisions §2',
  }),
  field('cards.sourceType', 'The cards path tells cards and accounts apart by sourceType.', {
    source: 'decisions §2',
  }),
  call('add', 'POST /v1/ec/ippay/cards adds a method.', { source: 'payments §7' }),
  call('delete', 'DELETE on /v1/ec/ippay/cards with {id} removes a method.', { source: 'payments §7' }),
  call('default', 'PUT /v1/ec/ippay/cards sets the default.', { source: 'payments §7; decisions §2' }),
  call('templates', 'GET /v1/ec/ippay/cards/{CC|ACH}/templates answers the hosted button markup.', {
    source: 'payments §7',
  }),
  call(
    'bulk-template',
    'GET /v1/ec/ippay/pay/bulk-template/{sessionId} answers markup for the embedded button.',
    { source: 'payments §7' },
  ),
]);

const moneris = section({ prefix: 'payments.moneris', source: 'payments §3' }, [
  field('monerisCard.cardNumber', 'monerisCard has cardNumber.'),
  field('phone', 'Moneris adds phone.'),
  field('email', 'Moneris adds email.'),
  call('cards', 'GET /v1/ec/moneris/cards lists cards (type 5).', { source: 'payments §7' }),
  call('add', 'POST /v1/ec/moneris/cards adds a card.', { source: 'payments §7' }),
  field('add.cardNumber', 'Moneris sends cardNumber.', { source: 'payments §5' }),
  field('add.cvdValue', 'Moneris sends cvdValue.', { source: 'payments §5' }),
  field('add.expMonth', 'Moneris sends expMonth.', { source: 'payments §5' }),
  field('add.expYear', 'Moneris sends expYear.', { source: 'payments §5' }),
  field('add.phone', 'Moneris sends phone.', { source: 'payments §5' }),
  field('add.email', 'Moneris sends email.', { source: 'payments §5' }),
  call('delete', 'DELETE on /v1/ec/moneris/cards with {id} removes a card.', { source: 'payments §7' }),
  call('default', 'PUT /v1/ec/moneris/customer-default-source with {id} sets the default.', {
    source: 'payments §7; decisions §2',
  }),
]);

const pinch = section({ prefix: 'payments.pinch', source: 'payments §3' }, [
  field('pinchCard.brand', 'pinchCard has brand.'),
  field('pinchCard.cardNumber', 'pinchCard has cardNumber.'),
  rule('holder-required', 'Pinch needs the cardholder name.', { source: 'payments §5' }),
  rule('email-required', 'Pinch needs an e-mail.', { source: 'payments §5' }),
  call('add', 'POST /v1/ec/payments/cards adds a Pinch card (type 6).', { source: 'payments §7' }),
  field('add.token', 'Adding a Pinch card sends token.', { source: 'payments §7' }),
  field('add.cardHolder', 'Adding a Pinch card sends cardHolder.', { source: 'payments §7' }),
  field('add.email', 'Adding a Pinch card sends email.', { source: 'payments §7' }),
  call('token', "A POST to the provider's token endpoint answers a token.", { source: 'payments §7' }),
  field('token.PublishableKey', 'The token request sends PublishableKey.', { source: 'payments §7' }),
  field('token.CardNumber', 'The token request sends CardNumber.', { source: 'payments §7' }),
  field('token.Cvc', 'The token request sends Cvc.', { source: 'payments §7' }),
  field('token.ExpiryMonth', 'The token request sends ExpiryMonth.', { source: 'payments §7' }),
  field('token.ExpiryYear', 'The token request sends ExpiryYear.', { source: 'payments §7' }),
  field('token.CardHolderName', 'The token request sends CardHolderName.', { source: 'payments §7' }),
  error('token', "Pinch token errors show the provider's message.", { source: 'payments §8' }),
]);

const bpoint = section({ prefix: 'payments.bpoint', source: 'payments §3' }, [
  field('sourceType', "A BPOINT source has sourceType 'CC' or 'ACH'."),
  field('bPointCard.scheme', 'bPointCard has scheme.'),
  field('bPointCard.number', 'bPointCard has number.'),
  field('bPointCard.name', 'bPointCard has name.'),
  field('bPointCard.emailAddress', 'bPointCard has emailAddress.'),
  field('bPointCard.token', 'bPointCard has token.'),
  field('bPointBankAccount.bsb', 'bPointBankAccount has bsb.'),
  field('bPointBankAccount.account', 'bPointBankAccount has account.'),
  field('bPointBankAccount.token', 'bPointBankAccount has token.'),
  rule('name-required', 'Adding a BPOINT card needs a name.', { source: 'payments §5' }),
  rule('holder-required', 'A BPOINT bank account needs a holder name.', { source: 'payments §5' }),
  call('cards', 'GET /v1/ec/bpoint/cards lists cards and accounts (type 10).', {
    source: 'payments §7; decisions §2',
  }),
  field('cards.sourceType', 'The cards path tells cards and accounts apart by sourceType.', {
    source: 'decisions §2',
  }),
  call('add', 'POST /v1/ec/bpoint/cards adds a method.', { source: 'payments §7' }),
  field('add.authKeys', 'Adding a BPOINT method sends authKeys.', { source: 'payments §7' }),
  call('tokenize', 'POST /v1/ec/bpoint/cards/tokenize makes a token.', { source: 'payments §7' }),
  field('tokenize.crn1', 'Tokenizing sends crn1.', { source: 'payments §7' }),
  field('tokenize.emailAddress', 'Tokenizing sends emailAddress.', { source: 'payments §7' }),
  field('tokenize.token', 'Tokenizing sends token.', { source: 'payments §7' }),
  call('delete', 'DELETE on /v1/ec/bpoint/cards with {id} removes a method.', { source: 'payments §7' }),
  call('default', 'PUT /v1/ec/bpoint/customer-default-source sets the default.', {
    source: 'payments §7; decisions §2',
  }),
  field('default.cardToken', 'Setting the BPOINT default sends cardToken.', {
    source: 'payments §7; decisions §2',
  }),
  field('default.isDefault', 'Setting the BPOINT default sends isDefault.', {
    source: 'payments §7; decisions §2',
  }),
  error('detail', 'BPOINT errors show the first detail message or the message.', { source: 'payments §8' }),
  error('no-script', 'A missing BPOINT script throws an error.', { source: 'payments §8' }),
]);

const gocardless = section({ prefix: 'payments.gocardless', source: 'decisions §2' }, [
  call('list', 'GET /v1/ec/payments/payment-methods lists the bank accounts of GoCardless.'),
]);

/** IPpay, Moneris, Pinch, BPOINT, GoCardless. */
export const rows: readonly Row[] = [...ippay, ...moneris, ...pinch, ...bpoint, ...gocardless];
