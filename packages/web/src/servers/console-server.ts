import type { OrderView } from '@vps/shared/orders.contract'
import type { ServerView } from '@vps/shared/console.contract'

export type ConsoleServer = ServerView & { order: OrderView; known: boolean }

/** Without details, what the order knows; nothing observed is claimed. */
export function consoleOf(order: OrderView, details: ServerView | undefined): ConsoleServer {
  if (details) return { ...details, order, known: true }
  return {
    id: order.serverId ?? '',
    orderId: order.id,
    serverName: order.serverName,
    orderNumber: order.orderNumber,
    ipAddress: order.ipAddress,
    ipAddresses: order.ipAddress ? [order.ipAddress] : [],
    addedAddresses: [],
    ipPrefixes: [],
    forwarded: [],
    sshPort: order.sshPort,
    machineSshPort: order.machineSshPort,
    username: order.username,
    osName: order.osName,
    osVersion: order.osVersion,
    cpuCores: order.cpuCores,
    memoryGb: order.memoryGb,
    storageGb: order.storageGb,
    bandwidthMbps: order.bandwidthMbps,
    status: order.server?.status ?? 'OFFLINE',
    power: order.server?.power ?? 'unknown',
    powerObservedAt: null,
    installStatus: order.server?.installStatus ?? null,
    orderStatus: order.status,
    groupName: order.groupName,
    diskType: '',
    networkSpeed: '',
    sshAccess: true,
    expiryDate: order.expiresAt,
    createTime: order.createdAt,
    lastUpdate: order.createdAt,
    uptime: null,
    openJob: null,
    migrating: false,
    movesBack: false,
    hostLost: order.server?.hostLost ?? false,
    driver: 'kvm',
    protected: false,
    trouble: null,
    snapshots: { used: 0, most: 0 },
    keptBackups: { own: false, elsewhere: false },
    rescue: { offered: false, since: null },
    iso: { offered: false, inserted: null, bootedAt: null },
    order,
    known: false,
  }
}

/** 3 天 4 小时, 12 分钟, 8 秒 */
export function uptimeText(seconds: number | null): string | null {
  if (seconds === null) return null
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days) return `${days} 天 ${hours} 小时`
  if (hours) return `${hours} 小时 ${minutes} 分钟`
  return minutes ? `${minutes} 分钟` : `${Math.floor(seconds)} 秒`
}
