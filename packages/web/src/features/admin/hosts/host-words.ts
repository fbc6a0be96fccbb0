import type { HostStatus } from '@vps/shared/hosts'
import type { HostView } from '@vps/shared/hosts.contract'
import type { ChipTone } from '../../../ui/Chip'

export const hostTones: Record<HostStatus, ChipTone> = {
  ENROLLING: 'info',
  READY: 'success',
  DRAINING: 'warning',
  MAINTENANCE: 'warning',
  LOST: 'error',
  RETIRED: 'neutral',
}

export const troubleWords: Record<NonNullable<HostView['trouble']>['level'], { label: string; tone: ChipTone }> = {
  away: { label: '宿主机异常', tone: 'error' },
  faulty: { label: '存储异常', tone: 'error' },
  degraded: { label: '降级', tone: 'warning' },
}

/** Servers whose places are not free yet. */
export const releasingText = ({ releasing }: HostView): string => (releasing > 0 ? `${releasing} 台释放中` : '')

export type HostMove = Exclude<HostStatus, 'ENROLLING'>
export const hostMoveWords: Record<HostMove, { label: string; meaning: string; danger?: boolean }> = {
  READY: { label: '恢复可用', meaning: '宿主机重新接受新的服务器。' },
  DRAINING: { label: '排空', meaning: '不再接受新的服务器；已有服务器照常运行，直到各自结束。' },
  MAINTENANCE: { label: '进入维护', meaning: '不再接受新的服务器；已有服务器不会被停止，请自行安排维护时间。' },
  LOST: {
    label: '宣告丢失',
    meaning:
      '宿主机不会再回来：正在释放的位置和地址立即回到池中，其上的服务器不再由它报告，其订单不再续费，需要在宿主机页面上逐台重建到其他宿主机，或退款；客户会收到邮件通知。只有确认机器已毁坏或断电时才可这样做。',
    danger: true,
  },
  RETIRED: {
    label: '退役',
    meaning: '宿主机永久停用，接入令牌失效，不能恢复。仍有服务器时不能退役。',
    danger: true,
  },
}
