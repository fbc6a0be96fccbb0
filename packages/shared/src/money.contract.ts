import * as text from './text.js'
import * as z from 'zod'
import { isYuan, yuan, type Fen } from './money.js'

const inside = z.custom<Fen>((amount) => Number.isSafeInteger(amount))

/** Incoming yuan (at most two decimals); `Fen` once parsed. */
export const yuanToFen = z.codec(
  z
    .number({ error: text.badAmount })
    .min(-100_000_000, { error: text.amountOutOfRange })
    .max(100_000_000, { error: text.amountOutOfRange })
    .refine(isYuan, { error: text.amountDecimals }),
  inside,
  yuan,
)

/** Outgoing: `Fen` in views, yuan on the wire. */
export const fenToYuan = z.invertCodec(z.codec(z.number(), inside, yuan))
