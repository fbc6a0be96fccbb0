/** The home page's opening. */
import { graceHours } from './deadlines.js'
import type { SiteSettings } from './site.js'

export const slogan = ['稳定快速的云服务器，', '即开即用'] as const

/** With the shop's claimed trial. */
export const promises = ({ trial }: Pick<SiteSettings, 'trial'>): string =>
  `30 秒部署 · 按小时起售${trial && ` · ${trial}`}`

/** With the shop's claimed availability. */
export const introduction = ({ availability }: Pick<SiteSettings, 'availability'>): string =>
  `选好配置，付款即开通。安装进度实时可见，运行状态一目了然${availability && `，${availability} 可用性由 7x24 团队守护`}。`

export const points = ['无需押金', '随时升级', `到期数据保留 ${graceHours} 小时`]

export const plansLead = '今天的价格与库存。下单前还可以逐项调整配置，每一项费用都看得见。'

export const salesNote = '先选地区与套餐，再按需调整配置'
