import { formatYuan, fen, toYuan } from '@vps/shared/money'
import { graceHours } from '@vps/shared/orders'
import type { Db } from '../db/client.js'
import type { MailJob } from './enqueue-mail.js'
import type { Letter } from './letter.js'

type OrderMailJob = Extract<MailJob, { orderId: string }>

/** The words of a mail about an order, from what its row says now; null when there is nothing to tell any more. */
export async function orderLetter(db: Db, job: OrderMailJob, publicUrl: string): Promise<Letter | null> {
  const order = await findOrder(db, job.orderId)
  if (!order) return null
  const server = order.serverName ?? order.number
  const renew = { label: '立即续费', url: `${publicUrl}/orders?orderId=${order.id}` }
  const recharge = { label: '立即充值', url: `${publicUrl}/recharge` }
  switch (job.template) {
    case 'orderActive':
      return {
        subject: `服务器已开通：${server}`,
        lines: [
          `订单 ${order.number} 的服务器 ${server} 已安装完成，并已验证可以登录。`,
          '登录地址、端口和密码请在控制台查看。',
        ],
        link: { label: '打开控制台', url: `${publicUrl}/server-manage/${order.id}` },
      }
    case 'orderRefunded':
      return {
        subject: `订单已退款：${order.number}`,
        lines: [
          `订单 ${order.number} 已取消（${order.cancel_reason ?? '安装失败'}）。`,
          `${formatYuan(toYuan(fen(order.refunded ?? order.paid_fen ?? 0)))} 已退回您的钱包余额。`,
        ],
        link: { label: '查看交易记录', url: `${publicUrl}/transactions` },
      }
    case 'renewalFailed':
      return {
        subject: `自动续费失败：${server}`,
        lines: [
          `服务器 ${server} 的自动续费因余额不足未能完成，服务器已暂停。`,
          `数据保留至 ${graceEnd(order.expires_at)}（北京时间），在此之前充值足够的金额后将自动续费并恢复。`,
        ],
        link: recharge,
      }
    case 'orderSuspended':
      if (order.suspend_reason === 'admin') {
        return {
          subject: `服务器已暂停：${server}`,
          lines: [
            `服务器 ${server} 已被管理员暂停，数据保留。`,
            ...(order.suspend_note ? [`原因：${order.suspend_note}`] : []),
            '如有疑问，请联系客服。',
          ],
        }
      }
      return {
        subject: `服务器已到期：${server}`,
        lines: [
          `服务器 ${server} 已到期并暂停。`,
          `数据保留至 ${graceEnd(order.expires_at)}（北京时间），在此之前续费即可恢复。`,
        ],
        link: renew,
      }
    case 'orderResumed':
      return {
        subject: `服务器已恢复：${server}`,
        lines: [`服务器 ${server} 已恢复，服务至 ${beijing(order.expires_at)}（北京时间）。`],
        link: { label: '打开控制台', url: `${publicUrl}/server-manage/${order.id}` },
      }
    case 'orderExpired':
      return {
        subject: `服务器已释放：${server}`,
        lines: [`服务器 ${server} 到期后未在 ${graceHours} 小时内续费，服务器已释放，数据已清除。`],
        link: { label: '重新购买', url: `${publicUrl}/sales` },
      }
    case 'orderExpiring': {
      // Renewed or ended since: the reminder has come too late to be of use.
      if (order.status !== 'ACTIVE' || order.expires_at?.toISOString() !== job.expiresAt) return null
      const ends = `服务器 ${server} 将于 ${beijing(order.expires_at)}（北京时间）到期。`
      return order.auto_renewal
        ? {
            subject: `服务器 ${job.days} 天内自动续费：${server}`,
            lines: [ends, '届时将从钱包余额自动续费，请确保余额充足。'],
            link: recharge,
          }
        : {
            subject: `服务器 ${job.days} 天内到期：${server}`,
            lines: [ends, `到期未续费将暂停服务，${graceHours} 小时后清除数据。`],
            link: renew,
          }
    }
  }
}

function findOrder(db: Db, id: string) {
  return db
    .selectFrom('orders as o')
    .leftJoin('servers as s', 's.id', 'o.server_id')
    .selectAll('o')
    .select('s.name as serverName')
    .select((eb) =>
      eb
        .selectFrom('refund_requests as r')
        .select('r.refunded_fen')
        .whereRef('r.order_id', '=', 'o.id')
        .where('r.status', '=', 'APPROVED')
        .limit(1)
        .as('refunded'),
    )
    .where('o.id', '=', id)
    .executeTakeFirst()
}

const beijing = (at: Date | null) => at?.toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false }) ?? ''

function graceEnd(expiresAt: Date | null): string {
  return beijing(expiresAt && new Date(expiresAt.getTime() + graceHours * 3600_000))
}
