import * as z from 'zod'
import { label } from './fields.contract.js'
import { announcementLevels } from './announcements.js'
import * as text from './text.js'

/** For customers. */
export const announcementView = z.object({
  id: z.uuid(),
  title: z.string(),
  body: z.string(),
  level: z.enum(announcementLevels),
  startsAt: z.string(),
  endsAt: z.string().nullable(),
})
export type AnnouncementView = z.infer<typeof announcementView>

/** With whom it reaches; neither group nor host: everybody. */
export const adminAnnouncement = announcementView.extend({
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  hostId: z.uuid().nullable(),
  hostName: z.string().nullable(),
  isMaintenance: z.boolean(),
})

const moment = z.iso.datetime({ offset: true, error: text.badTime }).transform((at) => new Date(at))
export const announcementInput = z
  .object({
    title: label,
    body: z
      .string({ error: text.required })
      .trim()
      .min(1, { error: text.required })
      .max(2000, { error: text.tooLong(2000) }),
    level: z.enum(announcementLevels, { error: '级别不正确' }).default('info'),
    groupId: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
    hostId: z
      .uuid()
      .nullish()
      .transform((id) => id ?? null),
    /** Empty: now. */
    startsAt: moment.nullish().transform((at) => at ?? null),
    endsAt: moment.nullish().transform((at) => at ?? null),
  })
  .refine((input) => input.groupId === null || input.hostId === null, {
    path: ['hostId'],
    error: '只能选择分组或宿主机之一',
  })
  .refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || endsAt > startsAt, {
    path: ['endsAt'],
    error: text.endsBeforeStart,
  })
export type AnnouncementInput = z.infer<typeof announcementInput>
