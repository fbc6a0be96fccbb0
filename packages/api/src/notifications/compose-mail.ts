import { formatYuan, fen, toYuan } from '@vps/shared/money'
import type { Db } from '../db/client.js'
import type { Mail } from '../deps.js'
import type { MailJob } from './enqueue-mail.js'

/** The words of a mail, from what the rows say now; null when its order is gone or says something else by now. */
export async function composeMail(db: Db, job: MailJob, publicUrl: string): Promise<Mail | null> {
  const order = await db
    .selectFrom('orders as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .leftJoin('servers as s', 's.id', 'o.server_id')
    .select([
      'u.email',
      'u.username',
      'o.number',
      'o.status',
      'o.paid_fen',
      'o.cancel_reason',
      'o.id',
      's.name as serverName',
    ])
    .where('o.id', '=', job.orderId)
    .executeTakeFirst()
  if (!order) return null
  switch (job.template) {
    case 'orderActive':
      return letter(order.email, `服务器已开通：${order.serverName ?? order.number}`, [
        `${order.username}，您好：`,
        `订单 ${order.number} 的服务器 ${order.serverName ?? ''} 已安装完成，并已验证可以登录。`,
        `查看地址、端口和密码：${publicUrl}/server-manage/${order.id}`,
      ])
    case 'orderRefunded':
      return letter(order.email, `订单已退款：${order.number}`, [
        `${order.username}，您好：`,
        `很抱歉，订单 ${order.number} 未能开通（${order.cancel_reason ?? '安装失败'}）。`,
        `已付的 ${formatYuan(toYuan(fen(order.paid_fen ?? 0)))} 已全额退回您的钱包。`,
        `查看钱包：${publicUrl}/transactions`,
      ])
  }
}

function letter(to: string, subject: string, lines: string[]): Mail {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const html = lines.map((line) => `<p style="font:14px/22px sans-serif;color:#1a1f33">${escape(line)}</p>`).join('')
  return {
    to,
    subject,
    text: lines.join('\n\n'),
    html: `<!doctype html><html lang="zh-CN"><body>${html}</body></html>`,
  }
}
