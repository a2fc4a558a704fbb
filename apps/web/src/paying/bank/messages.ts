import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the form of a bank account, wherever one is typed. */
export const t = defineMessages({
  'bank.accountHolderName': 'Account holder name',
  'bank.nameOnAccount': 'Name on account',
  'bank.email': 'Email',
  'bank.phone': 'Phone',
  'bank.payerFirstName': 'Payer first name',
  'bank.payerLastName': 'Payer last name',
  'bank.company': 'Company',
  'bank.address': 'Address',
  'bank.city': 'City',
  'bank.state': 'State',
  'bank.zip': 'Zip',
  'bank.country': 'Country',
  'bank.mandate': 'Direct debit mandate',
  'bank.mandateBox': 'agreement to the direct debit',
});
