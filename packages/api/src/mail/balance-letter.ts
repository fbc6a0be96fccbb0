import * as labels from '@vps/shared/labels'
import { fen, formatYuan } from '@vps/shared/money'
import type { Db } from '../db/client.js'
import type { MailJob } from './enqueue-mail.js'
import type { Letter } from './letter.js'
import { askSupport, beijing, transactionsLink } from './order-story.js'

/** What staff did to a balance: how much, why, and what is left. */
export async function balanceLetter(
  db: Db,
  { userId, reference }: Extract<MailJob, { template: 'balanceAdjusted' }>,
  publicUrl: string,
): Promise<Letter | null> {
  const entry = await db
    .selectFrom('ledger_entries')
    .select(['number', 'amount_fen', 'after_fen', 'description', 'created_at'])
    .where('type', '=', 'ADJUSTMENT')
    .where('reference', '=', reference)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!entry) return null
  const isMore = entry.amount_fen > 0
  const amount = formatYuan(fen(Math.abs(entry.amount_fen)))
  const change = `${isMore ? '增加' : '扣减'} ${amount}`
  return {
    subject: `余额已${change}`,
    mark: { word: '余额调整', tone: isMore ? 'success' : 'primary' },
    title: '管理员调整了您的余额',
    lines: [`您的钱包余额已由管理员${change}。`, askSupport],
    facts: [
      [labels.amount, `${isMore ? '+' : '-'}${amount}`],
      ['调整后余额', formatYuan(entry.after_fen)],
      [labels.description, entry.description],
      [labels.transactionNumber, entry.number],
      [labels.time, beijing(entry.created_at)],
    ],
    link: transactionsLink(publicUrl),
  }
}
