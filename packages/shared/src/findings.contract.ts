import * as z from 'zod'
import { allFindingKinds } from './findings.js'

/**
 * What is wrong and somebody may have to look at. `subject`: by its kind, a domain's UUID, a file's name, the host's id
 * or a payment's numbers; `cleanable`: the host's agent may destroy what is left.
 */
export const findingView = z.object({
  id: z.uuid(),
  hostId: z.uuid().nullable(),
  /** Null: the shop as a whole. */
  hostName: z.string().nullable(),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  ownerId: z.uuid().nullable(),
  ownerName: z.string().nullable(),
  cleanable: z.boolean(),
  kind: z.enum(allFindingKinds),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  resolvedAt: z.string().nullable(),
})
