import * as z from 'zod'
import { hostStatuses } from './hosts.js'
import { fenToYuan } from './money.contract.js'
import { portBlock } from './nat.contract.js'
import { orderStatuses } from './orders.js'
import { paymentStatuses } from './payments.js'
import * as text from './text.js'

/** One character fits everything. */
export const searchInput = z.object({
  text: z
    .string({ error: text.required })
    .trim()
    .min(2, { error: '请至少输入 2 个字符' })
    .max(100, { error: text.tooLong(100) }),
})

/** At most five of each kind. */
export const foundView = z.object({
  users: z.array(z.object({ id: z.uuid(), username: z.string(), email: z.string() })),
  orders: z.array(z.object({ id: z.uuid(), number: z.string(), status: z.enum(orderStatuses), ownerName: z.string() })),
  hosts: z.array(z.object({ id: z.uuid(), name: z.string(), status: z.enum(hostStatuses) })),
  servers: z.array(
    z.object({ id: z.uuid(), name: z.string(), orderId: z.uuid().nullable(), ownerName: z.string().nullable() }),
  ),
  addresses: z.array(
    z.object({
      address: z.string(),
      ports: portBlock.nullable(),
      orderId: z.uuid().nullable(),
      serverName: z.string(),
    }),
  ),
  payments: z.array(
    z.object({
      outTradeNo: z.string(),
      tradeNo: z.string().nullable(),
      money: fenToYuan,
      status: z.enum(paymentStatuses),
      ownerName: z.string(),
    }),
  ),
})
export type FoundInFen = z.input<typeof foundView>
