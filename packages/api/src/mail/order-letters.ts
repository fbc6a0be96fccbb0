import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import { formatYuan, fen, yuan as yuanOf, type Fen } from '@vps/shared/money'
import { graceHours } from '@vps/shared/deadlines'
import { setUpBroke } from '@vps/shared/orders'
import { periodNames } from '@vps/shared/periods'
import * as text from '@vps/shared/text'
import type { DayLevel } from '@vps/shared/status'
import { rechargeFor } from '@vps/shared/wallet'
import type { Db } from '../db/client.js'
import type { MailJob } from './enqueue-mail.js'
import type { Letter } from './letter.js'
import { askSupport, beijing, findOrder, storyOf, type OrderRow, type Story } from './order-story.js'

type OrderMailJob = Extract<MailJob, { orderId: string }>

/** Null when there is nothing to tell. */
export async function orderLetter(db: Db, job: OrderMailJob, publicUrl: string): Promise<Letter | null> {
  const order = await findOrder(db, job.orderId)
  if (!order) return null
  const story = storyOf(order, publicUrl)
  switch (job.template) {
    case 'orderActive':
      return opened(story)
    case 'orderRefunded':
      return refunded(story)
    case 'refundRejected':
      return refundRejected(story)
    case 'renewalFailed':
      return renewalFailed(story)
    case 'orderSuspended':
      return suspended(story)
    case 'orderResumed':
      return resumed(story)
    case 'hostLost':
      return hostLost(story)
    case 'orderRebuilt':
      return rebuilt(story, job)
    case 'orderExpired':
      return released(story, job)
    case 'orderExpiring':
      return expiring(story, job)
  }
}

function opened({ facts, order, server, ends, links }: Story): Letter | null {
  if (order.status !== 'ACTIVE') return null
  return {
    subject: `服务器已开通：${server}`,
    mark: { word: '已开通', tone: 'success' },
    title: '服务器已开通',
    lines: [
      `服务器 ${server} 已安装完成，并已验证可以登录。`,
      '登录地址、端口和密码请在控制台查看，本邮件不包含密码。',
    ],
    facts: [
      ...facts,
      [labels.specification, `${order.cpu_cores} 核 / ${order.memory_gb} GB / ${order.storage_gb} GB`],
      [labels.operatingSystem, `${order.os_name} ${order.os_version}`],
      ['已付金额', `${yuan(order.paid_fen)}（${periodNames[order.period]}）`],
      ends,
    ],
    link: links.openConsole,
  }
}

function refunded({ facts, order, server, links }: Story): Letter {
  const failed = setUpBroke(order.cancel_cause)
  const amount = order.refunded ?? order.paid_fen ?? fen(0)
  if (!failed && amount === 0) return endedWithoutRefund({ facts, order, links })
  return {
    subject: failed ? `服务器未能开通，已全额退款：${order.number}` : `订单已退款：${order.number}`,
    mark: failed ? { word: '未能开通', tone: 'error' } : { word: states.refunded, tone: 'primary' },
    title: failed ? '服务器未能开通，款项已全额退回' : '订单已退款',
    lines: [
      failed
        ? `很抱歉，服务器 ${server} 未能开通，订单已取消，款项已全额退回您的钱包余额。`
        : order.status === 'EXPIRED'
          ? `订单 ${order.number} 的退款申请已批准，款项已退回您的钱包余额。`
          : `订单 ${order.number} 已取消，款项已退回您的钱包余额。`,
      ...staying(order),
    ],
    facts: [
      ...facts,
      ...where(labels.cancelReason, order.cancel_reason),
      ['退款金额', yuan(amount)],
      ['退回至', '钱包余额'],
      ...stayingUntil(order),
    ],
    link: links.transactions,
  }
}

/** All paid time was used, on a lost host; or nothing was paid. */
function endedWithoutRefund({ facts, order, links }: Pick<Story, 'facts' | 'order' | 'links'>): Letter {
  return {
    subject: `订单已结束：${order.number}`,
    mark: { word: states.ended, tone: 'primary' },
    title: '订单已结束',
    lines: [`订单 ${order.number} 已结束，没有需要退还的费用。`, ...staying(order)],
    facts: [...facts, ...where(labels.cancelReason, order.cancel_reason), ...stayingUntil(order)],
    link: links.buyAgain,
  }
}

function refundRejected({ order, facts, ends, links }: Story): Letter {
  const goesOn = order.status === 'ACTIVE'
  return {
    subject: `退款申请未通过：${order.number}`,
    mark: { word: '不予退款', tone: 'warning' },
    title: '退款申请未通过',
    lines: [
      `订单 ${order.number} 的退款申请未通过${goesOn ? '，服务器可以继续使用' : ''}。`,
      ...(goesOn && order.auto_renewal ? ['到期时自动续费照常进行；如不再需要，请在控制台关闭自动续费。'] : []),
    ],
    facts: [...facts, ...where(labels.reason, order.rejection), ends],
    link: links.openConsole,
  }
}

function renewalFailed({ order, server, facts, ends, keptUntil, links }: Story): Letter | null {
  // Money came meanwhile, or would not bring it back; the next mail says so.
  if (order.suspend_reason !== 'unpaid') return null
  return {
    subject: `自动续费失败：${server}`,
    mark: { word: tooLittle, tone: 'error' },
    cells: graceDays,
    title: '自动续费失败，服务器已暂停',
    lines: [
      `服务器 ${server} 的自动续费因余额不足未能完成，服务器已暂停，${text.keptPastEnd}。`,
      `在此之前充值足够的金额后，将自动续费并恢复；逾期服务器会被释放，${afterRelease(order)}`,
    ],
    facts: [...facts, ends, keptUntil],
    link: links.recharge,
  }
}

function suspended({ order, server, facts, ends, keptUntil, links }: Story): Letter | null {
  if (order.status !== 'SUSPENDED') return null
  return order.suspend_reason === 'admin'
    ? {
        subject: `服务器已暂停：${server}`,
        mark: { word: states.suspended, tone: 'warning' },
        title: '服务器已被管理员暂停',
        lines: [`服务器 ${server} 已被管理员暂停，${text.keptPastEnd}。`, askSupport],
        facts: [...facts, ...where(labels.suspendReason, order.suspend_note), ends, keptUntil],
      }
    : {
        subject: `服务器已到期：${server}`,
        mark: { word: states.suspended, tone: 'warning' },
        cells: graceDays,
        title: '服务器已到期并暂停',
        lines: [
          ...(order.refundWaits ? [`${refundStops}。`] : []),
          `服务器 ${server} 已到期并暂停，${text.keptPastEnd}，在此之前续费即可恢复。`,
          `逾期未续费，服务器会被释放，${afterRelease(order)}`,
        ],
        facts: [...facts, ends, keptUntil],
        link: links.renew,
      }
}

function resumed({ order, server, facts, ends, links }: Story): Letter | null {
  if (order.status !== 'ACTIVE') return null
  return {
    subject: `服务器已恢复：${server}`,
    mark: { word: states.recovered, tone: 'success' },
    title: '服务器已恢复',
    lines: [`服务器 ${server} 的暂停已解除，即将恢复运行，数据和 IP 地址不变。`],
    facts: [...facts, ends],
    link: links.openConsole,
  }
}

function hostLost({ order, server, facts, ends, links }: Story): Letter | null {
  // Settled before this was sent: another mail tells how.
  if (order.hostStatus !== 'LOST') return null
  return {
    subject: `${text.hostBroke}：${server}`,
    mark: { word: '无法使用', tone: 'error' },
    title: text.hostBroke,
    lines: [
      `很抱歉，服务器 ${server} 所在的宿主机已损坏，服务器无法使用，其中的数据可能无法找回。`,
      text.afterHostLoss,
      ...(order.isBackedUp ? ['已完成的备份仍在，重建后可以用来恢复数据。'] : []),
    ],
    facts: [...facts, ...where(labels.ipAddress, order.address), ends],
    link: links.openConsole,
  }
}

function rebuilt(
  { order, server, facts, ends, links }: Story,
  { keepsAddresses, isRenewed, credited }: Extract<OrderMailJob, { template: 'orderRebuilt' }>,
): Letter | null {
  if (order.status !== 'ACTIVE') return null
  return {
    subject: `服务器正在重建：${server}`,
    mark: { word: '重建中', tone: 'warning' },
    title: '服务器正在另一台宿主机上重建',
    lines: [
      `很抱歉，服务器 ${server} 所在的宿主机已损坏，其中的数据无法找回。`,
      `我们正在另一台宿主机上重新安装系统，${keepsAddresses ? 'IP 地址不变' : 'IP 地址已更换'}，登录密码为控制台中显示的密码，${isRenewed ? renewedAnew : '费用与到期时间不变'}。`,
      ...(credited ? [`服务器不可用期间的费用 ${formatYuan(credited)} 已退回您的钱包余额。`] : []),
      ...(order.isBackedUp
        ? ['安装完成后，可在控制台用已完成的备份恢复数据；在此之前，新的定时备份不会替换它们。']
        : []),
    ],
    facts: [...facts, ...where(labels.ipAddress, order.address), ends],
    link: links.openConsole,
  }
}

const renewedAnew = '等待期间未收费，已从钱包余额续费一个周期，自现在起计算'

function released(
  { order, server, facts, ends, links }: Story,
  { suspendedBy }: Extract<OrderMailJob, { template: 'orderExpired' }>,
): Letter {
  const over = suspendedBy === 'admin' ? `到期已满 ${graceHours} 小时` : `到期后未在 ${graceHours} 小时内续费`
  return {
    subject: `${text.serverReleased}：${server}`,
    mark: { word: '已释放', tone: 'error' },
    title: text.serverReleased,
    lines: [`服务器 ${server} ${over}，${text.serverReleased}，数据不再保留。`, ...staying(order)],
    facts: [...facts, ends, ...stayingUntil(order)],
    link: links.buyAgain,
  }
}

function expiring(
  { order, server, facts, ends, links }: Story,
  job: Extract<OrderMailJob, { template: 'orderExpiring' }>,
): Letter | null {
  if (order.status !== 'ACTIVE' || order.expires_at?.toISOString() !== job.expiresAt) return null
  const { amount, lacking } = job.renewals ?? { amount: null, lacking: fen(0) }
  const sum = where('届时自动续费合计', amount && formatYuan(amount))
  if (order.auto_renewal && !order.refundWaits && lacking > 0)
    return {
      subject: `余额不足，服务器 ${job.days} 天内无法自动续费：${server}`,
      mark: { word: tooLittle, tone: 'warning' },
      cells: daysLeft(job.days),
      title: '余额不足以自动续费',
      lines: [
        `服务器 ${server} 将在 ${job.days} 天内到期，届时钱包余额不足以自动续费，还差 ${formatYuan(lacking)}。`,
        stopsUnpaid,
      ],
      facts: [...facts, ends, ...sum, [labels.autoRenewal, states.switchedOn]],
      link: { ...links.recharge, url: `${links.recharge.url}?amount=${yuanOf.encode(rechargeFor(lacking))}` },
    }
  return order.auto_renewal && !order.refundWaits
    ? {
        subject: `服务器 ${job.days} 天内自动续费：${server}`,
        mark: { word: '即将续费', tone: 'primary' },
        cells: daysLeft(job.days),
        title: `服务器将在 ${job.days} 天内自动续费`,
        lines: [`服务器 ${server} 将在到期时从钱包余额自动续费，请确保余额充足。`],
        facts: [...facts, ends, ...sum, [labels.autoRenewal, states.switchedOn]],
        link: links.recharge,
      }
    : {
        subject: `服务器 ${job.days} 天内到期：${server}`,
        mark: { word: states.expiringSoon, tone: 'warning' },
        cells: daysLeft(job.days),
        title: `服务器将在 ${job.days} 天内到期`,
        lines: [`服务器 ${server} ${stopsUnpaid}`],
        facts: [...facts, ends, [labels.autoRenewal, order.refundWaits ? refundStops : states.neverSwitchedOn]],
        link: links.renew,
      }
}

const tooLittle = '余额不足'

const stopsUnpaid = `到期未续费将暂停服务，${graceHours} 小时后释放并清除数据。`

const backupsStay = '已完成的备份仍保留一段时间，可以恢复到您的其他服务器。'

/** Backups of an ended server, however it ended. */
const staying = ({ backupsUntil }: OrderRow) => (backupsUntil ? [backupsStay] : [])
const stayingUntil = ({ backupsUntil }: OrderRow) => where('备份保留至', backupsUntil && beijing(backupsUntil))

const afterRelease = ({ isBackedUp }: OrderRow) => (isBackedUp ? `数据会被清除；${backupsStay}` : '数据无法找回。')

const refundStops = '退款申请待处理，期间不自动续费'

const daysLeft = (days: number): DayLevel[] => Array.from({ length: 7 }, (_, n) => (n < days ? 'good' : 'none'))

const graceDays = Array<DayLevel>(graceHours / 24).fill('minor')

const where = (label: string, value: string | null): [string, string][] => (value ? [[label, value]] : [])

const yuan = (amount: Fen | null) => formatYuan(amount ?? fen(0))
