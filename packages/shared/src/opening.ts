/** What the home page opens with, in its HTML and once its script is there. */
import { graceHours } from './deadlines.js'
import type { SiteSettings } from './site.js'

/** In two lines. */
export const slogan = ['稳定快速的云服务器，', '即开即用'] as const

/** Above it, with the trial that a shop claims. */
export const promises = ({ trial }: Pick<SiteSettings, 'trial'>): string =>
  `30 秒部署 · 按小时起售${trial && ` · ${trial}`}`

/** Below it, with the availability that a shop claims. */
export const introduction = ({ availability }: Pick<SiteSettings, 'availability'>): string =>
  `选好配置，付款即开通。安装进度实时可见，运行状态一目了然${availability && `，${availability} 可用性由 7x24 团队守护`}。`

/** What nobody has to fear. */
export const points = ['无需押金', '随时升级', `到期数据保留 ${graceHours} 小时`]

/** Above the plans. */
export const plansLead = '今天的价格与库存。下单前还可以逐项调整配置，每一项费用都看得见。'

/** Beside the shop's title. */
export const salesNote = '先选地区与套餐，再按需调整配置'
