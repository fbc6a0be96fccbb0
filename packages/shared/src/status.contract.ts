import * as z from 'zod'
import { label } from './fields.contract.js'
import { components, incidentStates, serviceStates } from './status.js'
import * as text from './text.js'

/** Null until enough is measured. */
export const figuresView = z.object({
  availability: z.number().nullable(),
  /** Of which that is, at most `statusDays`. */
  measuredDays: z.int(),
  setUpSeconds: z.object({ p50: z.number(), p95: z.number() }).nullable(),
})
export type FiguresView = z.infer<typeof figuresView>

/** Longer than any region's name. */
const region = z.templateLiteral(['region:', z.string().min(1).max(100)])
const serviceKey = z.union([z.enum(components), region], { error: '受影响的服务不正确' })

const incidentUpdate = z.object({ id: z.uuid(), at: z.string(), state: z.enum(incidentStates), body: z.string() })

/** For visitors, newest update first. */
export const incidentView = z.object({
  id: z.uuid(),
  title: z.string(),
  services: z.array(z.string()),
  startsAt: z.string(),
  endsAt: z.string().nullable(),
  updates: z.array(incidentUpdate),
})
export type IncidentView = z.infer<typeof incidentView>

/** In the order of `days`, null: nobody looked. */
export const serviceView = z.object({
  key: z.string(),
  name: z.string(),
  state: z.enum(serviceStates),
  share: z.number().nullable(),
  days: z.array(z.object({ share: z.number(), disturbedMinutes: z.int() }).nullable()),
})
export type ServiceView = z.infer<typeof serviceView>

/** Nobody's name, and no count of anything sold. */
export const statusView = z.object({
  at: z.string().nullable(),
  overall: z.enum(['good', 'partly', 'all', 'unknown']),
  days: z.array(z.string()),
  services: z.array(serviceView),
  incidents: z.array(incidentView),
})
export type StatusView = z.infer<typeof statusView>

const moment = z.iso
  .datetime({ offset: true, error: text.badTime })
  .transform((at) => new Date(at))
  .nullish()

/** Added; what was said stays. Without a time it ends now, or has ended when it was said to. */
export const incidentUpdateInput = z.object({
  state: z.enum(incidentStates, { error: '进展不正确' }),
  body: z
    .string({ error: text.required })
    .trim()
    .min(1, { error: text.required })
    .max(2000, { error: text.tooLong(2000) }),
  endsAt: moment,
})
export type IncidentUpdateInput = z.infer<typeof incidentUpdateInput>

/** Of an incident that is known; `after`: the newest update that its writer has read. */
export const nextUpdateInput = incidentUpdateInput.extend({ after: z.uuid().nullish() })
export type NextUpdateInput = z.infer<typeof nextUpdateInput>

/** With its first update. Without a time it begins now. */
export const incidentInput = incidentUpdateInput.extend({
  title: label,
  services: z.array(serviceKey).min(1, { error: '请选择受影响的服务' }).max(50, { error: '最多选择 50 项服务' }),
  startsAt: moment,
})
export type IncidentInput = z.infer<typeof incidentInput>
