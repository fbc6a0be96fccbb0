import * as z from 'zod'
import { migrationStages } from './cold-migrations.js'
import { orderStatuses } from './orders.js'

/** `hostId` null: the best that has room. */
export const startMigrationInput = z.object({ serverId: z.uuid(), hostId: z.uuid().nullable() })

export const migrationTarget = z.object({ id: z.uuid(), name: z.string() })

export const migration = z.object({
  id: z.uuid(),
  stage: z.enum(migrationStages),
  from: migrationTarget,
  /** Null: not chosen yet. */
  to: migrationTarget.nullable(),
  /** Of the stage's job. */
  percentage: z.int(),
  reason: z.string().nullable(),
  by: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

/** A server that has, or has had lately, to do with a host; `stays`: why it cannot leave it now. */
export const migratable = z.object({
  serverId: z.uuid(),
  serverName: z.string(),
  orderNumber: z.string(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  status: z.enum(orderStatuses),
  ipAddress: z.string().nullable(),
  diskGb: z.int(),
  /** Its place is on this host. */
  isHere: z.boolean(),
  stays: z.string().nullable(),
  /** Its newest. */
  migration: migration.nullable(),
})
export type Migratable = z.infer<typeof migratable>
export type Migration = z.infer<typeof migration>
