import { dayRange } from '@vps/shared/fields.contract'
import { mailStatuses } from '@vps/shared/mails'
import { mailView } from '@vps/shared/mails.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import * as text from '@vps/shared/text'
import * as z from 'zod'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { pageMails } from './mails.js'

const asked = pageInput.extend({
  userId: z.uuid({ error: text.noUser }),
  status: z.enum(mailStatuses, { error: text.badStatus }).optional(),
  ...dayRange.shape,
})

export const mailsRouter = router({
  list: adminOnly
    .input(asked)
    .output(pageOf(mailView))
    .query(({ ctx, input }) => pageMails(ctx.db, input)),
})
