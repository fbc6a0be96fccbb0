import * as z from 'zod'
import { allFindingKinds } from './findings.js'

/**
 * What an inventory saw that no job explains. `subject` is a domain's UUID, a file's name or the host's id; with
 * `serverId` where it belongs to a server that we know. `cleanable`: what is left of it may be destroyed by the host's
 * agent.
 */
export const findingView = z.object({
  id: z.uuid(),
  hostId: z.uuid().nullable(),
  /** Null: it is about the shop as a whole. */
  hostName: z.string().nullable(),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  orderId: z.uuid().nullable(),
  cleanable: z.boolean(),
  kind: z.enum(allFindingKinds),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  resolvedAt: z.string().nullable(),
})
