import { resetCodeMinutes } from '@vps/shared/accounts'
import { formatYuan, fen, toYuan } from '@vps/shared/money'
import type { Db } from '../db/client.js'
import type { Mail } from '../deps.js'
import type { Vault } from '../vault.js'
import type { MailJob } from './enqueue-mail.js'
import { letter } from './letter.js'

/** The words of a mail, from what the rows say now; null when what it is about is gone. */
export async function composeMail(db: Db, vault: Vault, job: MailJob, publicUrl: string): Promise<Mail | null> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'username'])
    .where('id', '=', job.userId)
    .executeTakeFirst()
  if (!user) return null
  const to = { address: user.email, name: user.username }
  if (job.template === 'resetCode') {
    return letter(to, {
      subject: '重置密码验证码',
      lines: [
        `您正在重置账户密码，验证码 ${resetCodeMinutes} 分钟内有效，请勿告诉他人。`,
        '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
      ],
      code: vault.open(job.code),
    })
  }
  const order = await db
    .selectFrom('orders as o')
    .leftJoin('servers as s', 's.id', 'o.server_id')
    .select(['o.id', 'o.number', 'o.paid_fen', 'o.cancel_reason', 'o.expires_at', 's.name as serverName'])
    .where('o.id', '=', job.orderId)
    .executeTakeFirst()
  if (!order) return null
  const server = order.serverName ?? order.number
  const expires = order.expires_at?.toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false }) ?? ''
  switch (job.template) {
    case 'orderActive':
      return letter(to, {
        subject: `服务器已开通：${server}`,
        lines: [
          `订单 ${order.number} 的服务器 ${server} 已安装完成，并已验证可以登录。`,
          '登录地址、端口和密码请在控制台查看。',
        ],
        link: { label: '打开控制台', url: `${publicUrl}/server-manage/${order.id}` },
      })
    case 'orderRefunded':
      return letter(to, {
        subject: `订单已退款：${order.number}`,
        lines: [
          `订单 ${order.number} 已取消（${order.cancel_reason ?? '安装失败'}）。`,
          `${formatYuan(toYuan(fen(order.paid_fen ?? 0)))} 已退回您的钱包余额。`,
        ],
        link: { label: '查看交易记录', url: `${publicUrl}/transactions` },
      })
    case 'renewalFailed':
      return letter(to, {
        subject: `自动续费失败：${server}`,
        lines: [
          `服务器 ${server} 的自动续费因余额不足未能完成。`,
          '服务器已暂停，数据保留 72 小时。充值后将自动恢复。',
        ],
        link: { label: '立即充值', url: `${publicUrl}/recharge` },
      })
    case 'orderExpiring':
      return letter(to, {
        subject: `服务器即将到期：${server}`,
        lines: [`服务器 ${server} 将于 ${expires}（北京时间）到期。`, '到期未续费将暂停服务，72 小时后清除数据。'],
        link: { label: '立即续费', url: `${publicUrl}/orders?orderId=${order.id}` },
      })
  }
}
