/** In this order. */
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
