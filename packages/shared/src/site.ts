import { backupKeptDays } from './backups.js'
import { graceHours } from './deadlines.js'
import * as labels from './labels.js'
import * as text from './text.js'

/** Before anybody changed it. */
export const siteAtFirst = {
  qq: '123456789',
  email: 'support@example.com',
  wechat: 'cloud-support',
  phone: '',
  hours: '',
  company: '',
  icp: '',
  police: '',
  trial: '7 天免费试用',
  users: '10,000+',
  dataCentres: '15+',
  availability: '99.9%',
  supportAnswer: '5 分钟',
  latency: '50ms',
  places: '',
  voices: true,
  alipay: true,
  wxpay: true,
  qqpay: true,
  bank: true,
  jdpay: true,
  paypal: true,
  usdt: true,
  termsDate: '2025-01-01',
  terms: `使用本服务即表示您同意以下内容。

# 服务内容
我们按照您购买的配置和周期提供云服务器。服务器安装完成并确认可以登录后开始计费。

# 用户责任
请妥善保管账户和服务器密码，不得利用服务器从事违反法律法规或影响他人使用的活动。

# 付款与续费
服务采用预付费方式。开启自动续费后，到期时将从账户余额扣款；余额不足时服务器将暂停，数据保留 ${graceHours} 小时。

# 退款政策
服务${text.refundTime}可以申请退款，我们将在 5-10 个工作日内处理，款项退回账户余额。

# 责任范围
请定期备份重要数据。购买的备份在服务器释放后保留 ${backupKeptDays} 天，随后清除。因不可抗力造成的损失，我们将尽力协助恢复。`,
  privacyDate: '',
  privacy: `# 我们收集的信息
为了提供服务，我们保存您的用户名、邮箱、订单与支付记录，以及登录时间和网络地址。密码只以不可还原的形式保存。

# 信息的使用
这些信息只用于开通和管理您的服务器、处理付款、发送与服务有关的通知，以及保障账户安全。

# 信息的共享
我们不会出售您的个人信息。除完成支付所必需的信息以及法律要求外，不会向第三方提供。

# 您的权利
您可以随时在个人资料中查看和修改您的信息，也可以联系我们查询或删除账户。`,
}

export type SiteSettings = typeof siteAtFirst

export type LegalName = 'terms' | 'privacy'

export type LegalPart = { kind: 'heading' | 'paragraph'; text: string }

/** A line that begins with `#` is a heading, others paragraphs; the date stands first. */
export function legalParts(site: SiteSettings, name: LegalName): LegalPart[] {
  const date = site[`${name}Date`]
  const [year, month, day] = date.split('-').map(Number)
  const since = `本${name === 'terms' ? labels.legal : '政策'}自 ${year} 年 ${month} 月 ${day} 日起生效。`
  const lines = site[name].split('\n').filter((line) => line.trim() !== '')
  return [...(date ? [since] : []), ...lines].map((line) => {
    const heading = /^#+\s*(.+)$/.exec(line)
    return heading?.[1] ? { kind: 'heading', text: heading[1] } : { kind: 'paragraph', text: line }
  })
}
