import * as z from 'zod'
import { wordOf } from './fields.contract.js'
import { allFindingKinds } from './findings.js'

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
