import { livingAgentSeconds, type HostRoom } from './hosts.js'

/** Why nothing of an active group can be bought, in the order to mend it. */
export const unsoldReasons = {
  'no-category': '所属分类已停用',
  'no-prices': '没有启用且有价格的价格组',
  'no-hosts': '分组内没有宿主机，也没有独立服务器',
  'no-machines': '分组内没有宿主机，独立服务器已售出、待清理或未连通',
  'no-ready-hosts': '分组内的宿主机都不接收新服务器：尚未接入、已排空、维护中或有故障',
  'no-agents': '分组内的宿主机代理均已失联',
  'no-images': '没有启用的镜像，或宿主机上还没有镜像文件',
  'no-addresses': '空闲的 IP 地址不足',
  'no-room': '剩余的 CPU、内存或磁盘不足',
} as const
export type Unsold = keyof typeof unsoldReasons

export type SellingGroup = {
  isCategoryActive: boolean
  /** The least addresses needed, and whether a place or a dedicated server is there. */
  plans: readonly { ipCount: number; sells: boolean }[]
  /** Not retired hosts; dedicated servers, sold or not. */
  hosts: number
  machines: number
  /** Of hosts that take servers. */
  rooms: readonly Pick<HostRoom, 'silentSeconds' | 'images' | 'freeAddresses'>[]
}

/** The first that holds; null: something can be bought. `images`: files on sale. */
export function whyUnsold(group: SellingGroup, images: readonly string[]): Unsold | null {
  const { isCategoryActive, plans, hosts, machines, rooms } = group
  if (!isCategoryActive) return 'no-category'
  if (plans.length === 0) return 'no-prices'
  if (plans.some(({ sells }) => sells)) return null
  if (hosts === 0) return machines === 0 ? 'no-hosts' : 'no-machines'
  if (rooms.length === 0) return 'no-ready-hosts'
  const alive = rooms.filter(({ silentSeconds }) => silentSeconds !== null && silentSeconds <= livingAgentSeconds)
  if (alive.length === 0) return 'no-agents'
  const installing = alive.filter((room) => room.images.some((file) => images.includes(file)))
  if (installing.length === 0) return 'no-images'
  const fewest = Math.min(...plans.map(({ ipCount }) => ipCount))
  return installing.every(({ freeAddresses }) => freeAddresses < fewest) ? 'no-addresses' : 'no-room'
}
