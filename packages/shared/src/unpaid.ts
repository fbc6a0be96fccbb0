/** Why an unpaid order cannot be paid. Not among `text.ts`, which every first visit loads. */

export const orderedUnsold = '订单所选的套餐或系统已下架或变更，请取消订单后重新选购'

export const orderedNoStock = (servers: number): string =>
  servers === 1
    ? '订单所选的套餐库存不足，暂时无法支付；可以稍后再试，或取消订单后重新选购'
    : `订单所选的套餐库存不足 ${servers} 台，暂时无法支付；可以稍后再试，或取消多余的订单`
