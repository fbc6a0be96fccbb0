import * as z from 'zod'
import { dayRange, wordOf } from './fields.contract.js'
import { allFindingKinds } from './findings.js'
import { pageInput } from './page.contract.js'

/** `open`: not resolved; days are of the first time. */
export const findingPageInput = pageInput.extend({
  open: z.boolean().default(true),
  kind: z.enum(allFindingKinds, { error: '发现项类型不正确' }).optional(),
  hostId: z.uuid().optional(),
  ...dayRange.shape,
})
export type FindingPageInput = z.infer<typeof findingPageInput>

/**
 * `subject`: by its kind, a domain's UUID, a file's name, the host's id or a payment's numbers; `cleanable`: the
 * rest may be destroyed; `perhapsLast`: it may be all that is left of a living server.
 */
export const findingView = z.object({
  id: z.uuid(),
  hostId: z.uuid().nullable(),
  /** Null: the whole shop. */
  hostName: z.string().nullable(),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  cleanable: z.boolean(),
  perhapsLast: z.boolean(),
  kind: wordOf(allFindingKinds),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  resolvedAt: z.string().nullable(),
})
