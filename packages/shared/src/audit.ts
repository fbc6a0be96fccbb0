import * as z from 'zod'

/** One act: who, what, on what, with which facts, when. Never a secret. */
export const auditView = z.object({
  id: z.uuid(),
  at: z.string(),
  actorKind: z.string(),
  actorName: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditView = z.infer<typeof auditView>

/** The operator's overview. Yuan; seconds; percentages 0-100. */
export const overviewView = z.object({
  incomeByDay: z.array(z.object({ day: z.string(), recharged: z.number(), spent: z.number(), refunded: z.number() })),
  ordersByStatus: z.record(z.string(), z.int()),
  groups: z.array(z.object({ id: z.uuid(), name: z.string(), smallestLeft: z.int() })),
  hosts: z.object({ total: z.int(), alive: z.int(), findings: z.int() }),
  failedJobs: z.int(),
  openJobs: z.int(),
  users: z.int(),
  setUpSeconds: z.object({ p50: z.number(), p95: z.number(), count: z.int() }).nullable(),
  pendingRefunds: z.int(),
})
export type OverviewView = z.infer<typeof overviewView>
