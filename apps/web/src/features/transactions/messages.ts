import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the transactions page; the title, 'Period:' and the button stand in the specification (portal §2). */
export const t = defineMessages({
  title: 'Transactions',
  agreement: 'Agreement',
  period: 'Period:',
  'period.search': 'Search periods',
  'period.none': 'No periods yet',
  'paper.rest': 'Download Transactions saves all of them.',
  download: 'Download Transactions',
  'column.productLabel': 'Label',
  'column.productName': 'Product',
  'column.serviceName': 'Service',
  'column.serviceItem': 'Service Item',
  'column.siteLabel': 'Site',
  'column.invoiceNumber': 'Invoice',
  'column.dateFrom': 'From',
  'column.dateTo': 'To',
  'column.quantity': 'Quantity',
  'column.unit': 'Unit',
  'column.price': 'Price',
  'column.currency': 'Currency',
  'card.from': 'From',
  'card.to': 'To',
  notInvoiced: 'Not invoiced yet',
  sum: 'Sum of {count} transactions',
  'empty.period': 'There are no transactions in this period',
  'empty.periodWhy': 'Charges appear here as soon as they are made, before they are invoiced.',
  'empty.agreements': 'There are no agreements yet',
  'empty.agreementsWhy':
    'Transactions belong to an agreement. Yours appears here when your provider has set it up.',
});
