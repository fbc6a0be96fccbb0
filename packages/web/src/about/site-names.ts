import * as labels from '@vps/shared/labels'
import { paymentMethodNames } from '@vps/shared/payments'
import type { SiteSettings } from '@vps/shared/site'

export const siteNames: Record<keyof SiteSettings, string> = {
  qq: labels.qqGroup,
  email: labels.email,
  wechat: labels.wechat,
  phone: '电话',
  hours: '服务时间',
  company: labels.company,
  icp: 'ICP 备案号',
  police: '公安备案号',
  trial: labels.freeTrial,
  users: labels.activeUsers,
  dataCentres: labels.dataCentres,
  availability: labels.availability,
  supportAnswer: labels.supportAnswer,
  latency: '访问延迟低于',
  places: labels.places,
  voices: labels.voices,
  ...paymentMethodNames,
  termsDate: '服务条款生效日期',
  terms: labels.terms,
  privacyDate: '隐私政策生效日期',
  privacy: labels.privacy,
}
