import * as labels from '@vps/shared/labels'
import { paymentMethods } from '@vps/shared/payments'
import type { SiteSettings } from '@vps/shared/site'

export type SiteField = keyof SiteSettings

export interface Section {
  title: string
  note: string
  names: SiteField[]
}

const empty = '留空的项目不会展示。'

export const sections: Section[] = [
  {
    title: '联系方式',
    note: `显示在页脚的「联系我们」中。${empty}`,
    names: ['qq', 'email', 'wechat', 'phone', 'hours'],
  },
  {
    title: '公司与备案',
    note: `显示在每一页的页脚。${empty}`,
    names: ['company', 'icp', 'police'],
  },
  {
    title: '首页宣传',
    note: `首页上的承诺与数字，请保持真实。${empty}`,
    names: ['trial', 'users', 'dataCentres', 'availability', 'supportAnswer', 'latency', 'voices'],
  },
  {
    title: '机房与测速',
    note: `显示在首页的地图上。填写测速地址后，访客可以在浏览器里测量到该机房的延迟：它应是机房内一个能很快应答的小文件。${empty}`,
    names: ['places'],
  },
  {
    title: labels.paymentMethod,
    note: '充值时只提供这里打开的方式，请与支付网关已开通的一致。',
    names: paymentMethods.map(({ code }) => code),
  },
  {
    title: '法律文本',
    note: '以 # 开头的一行是标题，其他每一行是一个段落。',
    names: ['termsDate', 'terms', 'privacyDate', 'privacy'],
  },
]
