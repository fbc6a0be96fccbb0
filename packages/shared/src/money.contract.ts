import * as z from 'zod'
import { isYuan, yuan, type Fen } from './money.js'

const inside = z.custom<Fen>((amount) => Number.isSafeInteger(amount))

/** An amount that comes in, in yuan (at most two decimals); `Fen` once it is parsed. */
export const yuanToFen = z.codec(
  z
    .number({ error: '金额格式不正确' })
    .min(-100_000_000, { error: '金额超出范围' })
    .max(100_000_000, { error: '金额超出范围' })
    .refine(isYuan, { error: '金额最多保留两位小数' }),
  inside,
  yuan,
)

/** An amount that goes out: `Fen` where a view is made, yuan on the wire. */
export const fenToYuan = z.invertCodec(z.codec(z.number(), inside, yuan))
