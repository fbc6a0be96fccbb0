/** In this order. */
export const firstSaleSteps = [
  'category',
  'group',
  'price-group',
  'image',
  'addresses',
  'host',
  'gateway',
  'mail',
  'site',
] as const
export type FirstSaleStep = (typeof firstSaleSteps)[number]
