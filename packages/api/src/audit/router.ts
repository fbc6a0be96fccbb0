import { auditView } from '@vps/shared/audit.contract'
import { dayRange } from '@vps/shared/fields.contract'
import { pageInput, pageOf } from '@vps/shared/page.contract'
import * as z from 'zod'
import { router } from '../trpc/init.js'
import { adminOnly } from '../trpc/procedures.js'
import { pageAudit } from './queries.js'

export const auditRouter = router({
  list: adminOnly
    .input(
      pageInput.extend({
        action: z.string().trim().max(60).optional(),
        subjectKind: z.string().trim().max(40).optional(),
        subjectId: z.string().trim().max(60).optional(),
        userId: z.uuid().optional(),
        actor: z.string().trim().max(40).optional(),
        ...dayRange.shape,
      }),
    )
    .output(pageOf(auditView))
    .query(({ ctx, input }) => pageAudit(ctx.db, input)),
})
