import * as z from 'zod'
import { parsePeriod, periodAliases, periods, type Period } from './periods.js'

const aliasesSaid = Object.entries(periodAliases)
  .map(([alias, period]) => `${alias} 即 ${period}`)
  .join('，')

/** Takes aliases, too; refuses WEEKLY and unknown ones. */
export const periodInput = z
  .string({ error: '请选择计费周期' })
  .meta({ enum: [...periods], description: `不分大小写；${aliasesSaid}` })
  .transform((text, context): Period => {
    const period = parsePeriod(text)
    if (period) return period
    const message = text.trim().toUpperCase() === 'WEEKLY' ? '暂不支持按周计费，请选择其他计费周期' : '计费周期不正确'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
