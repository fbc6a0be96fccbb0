/** In the order in which an operator does it. */
export const firstSaleSteps = [
  'category',
  'group',
  'price-group',
  'image',
  'host',
  'addresses',
  'gateway',
  'mail',
  'site',
] as const
export type FirstSaleStep = (typeof firstSaleSteps)[number]
