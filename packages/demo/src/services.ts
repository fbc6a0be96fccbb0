import type { User } from '@vps/api/actor'
import type { Tx } from '@vps/api/db/client'
import { reportIncident, updateIncident } from '@vps/api/status/incidents'
import { addSeen, type SeenOnDay } from '@vps/api/status/look'
import { components, regionKey, shownDays, type ServiceKey } from '@vps/shared/status'
import { shanghaiDay, startOfShanghaiDay } from '@vps/shared/time'
import { asiaPacific, groups } from './catalogue.js'

const minute = 60_000
const dayMinutes = 1_440

/** The days before are without data. */
const measured = 72
const troubles: { daysAgo: number; service: ServiceKey; minutes: number; missing: number }[] = [
  { daysAgo: 51, service: 'api', minutes: 6, missing: 1 },
  { daysAgo: 37, service: regionKey(asiaPacific), minutes: 22, missing: 1 },
  { daysAgo: 18, service: 'payments', minutes: 43, missing: 1 },
  { daysAgo: 4, service: 'set-ups', minutes: 9, missing: 1 },
]

/** How the services did, and what was told. */
export async function liveTheServices(tx: Tx, admin: User, now: Date): Promise<void> {
  const regions = [...new Set(Object.values(groups).map(({ region }) => region))]
  const keys = [...components, ...regions.map(regionKey)]
  const days = shownDays(now).slice(-measured)
  const ofToday = Math.max(1, Math.floor((now.getTime() - startOfShanghaiDay(shanghaiDay(now)).getTime()) / minute))
  const rows = days.flatMap((day, n) => {
    const daysAgo = measured - 1 - n
    return keys.map((service): SeenOnDay => {
      const trouble = troubles.find((one) => one.daysAgo === daysAgo && one.service === service)
      const { minutes: disturbed_minutes = 0, missing = 0 } = trouble ?? {}
      const lost_minutes = disturbed_minutes * missing
      const minutes = daysAgo === 0 ? ofToday : dayMinutes
      return { day, service, minutes, disturbed_minutes, lost_minutes, disturbed: false }
    })
  })
  await addSeen(tx, rows, new Date(Math.floor(now.getTime() / minute) * minute))
  await tellOfTrouble(tx, admin, now)
}

async function tellOfTrouble(tx: Tx, admin: User, now: Date): Promise<void> {
  const began =
    startOfShanghaiDay(shanghaiDay(new Date(now.getTime() - 18 * dayMinutes * minute))).getTime() + 1_212 * minute
  const after = (minutes: number) => new Date(began + minutes * minute)
  const services: ServiceKey[] = ['payments']
  const first = { state: 'investigating', body: '支付宝渠道返回超时，部分充值无法发起，正在与渠道核实。' } as const
  const incident = { title: '支付宝充值间歇失败', services, startsAt: after(0), ...first }
  const id = await reportIncident(tx, admin, incident, after(4))
  const updates = [
    [19, { state: 'identified', body: '已确认是渠道侧证书更新所致；微信与 QQ 钱包不受影响，可先使用其他方式充值。' }],
    [36, { state: 'monitoring', body: '渠道已修复，新发起的充值恢复正常；此前已付款的充值正在逐笔核对入账。' }],
    [43, { state: 'resolved', body: '全部充值已核对入账，服务恢复。' }],
  ] as const
  for (const [minutes, update] of updates) await updateIncident(tx, admin, { id, ...update }, after(minutes))
}
