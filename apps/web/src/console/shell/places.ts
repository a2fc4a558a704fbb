/** Where one can go, in the order of the side; the key goes there after G. */
export const places = [
  {
    key: 'c',
    path: '/admin/customers',
    label: 'nav.customers',
    drawing:
      'M8.500 5.500a2.500 2.500 0 1 1-5 0a2.500 2.500 0 0 1 5 0M1.500 13.500c.4-2.800 2.200-4 4.500-4s4.100 1.200 4.500 4M10.500 3.200a2.500 2.500 0 0 1 0 4.600M12 9.800c1.500.6 2.300 1.900 2.500 3.700',
  },
] as const;
