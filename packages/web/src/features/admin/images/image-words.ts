import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import type { ImageOnHost } from '@vps/shared/images.contract'
import type { ImageKind } from '@vps/shared/images'
import type { Readiness } from '@vps/shared/jobs'
import type { ChipTone } from '../../../ui/Chip'

export const kindWords: Record<ImageKind, string> = {
  system: '客户的系统',
  rescue: labels.rescueSystem,
  iso: labels.disc,
}

/** Only a login proves the password. */
export const readinessWords: Record<Readiness, string> = {
  ssh: 'SSH 登录',
  'guest-agent': '客户机代理',
  none: '仅启动',
}

export const presenceWords: Record<ImageOnHost['status'], string> = {
  ready: '已就绪',
  running: '传输中',
  checking: '校验中',
  waiting: states.waiting,
  failed: states.failed,
  unbootable: '无法启动',
  'no-uefi': '缺少 UEFI 固件',
  none: '没有',
}

export const presenceTones: Record<ImageOnHost['status'], ChipTone> = {
  ready: 'success',
  running: 'info',
  checking: 'info',
  waiting: 'neutral',
  failed: 'error',
  unbootable: 'error',
  'no-uefi': 'warning',
  none: 'unknown',
}

/** Of 1; null while the size is unknown. */
export function shareOf({ bytes, totalBytes }: Pick<ImageOnHost, 'bytes' | 'totalBytes'>): number | null {
  return totalBytes === null || totalBytes === 0 ? null : bytes / totalBytes
}

/** 100 only when whole. */
export const percentText = (share: number) => `${Math.floor(share * 100)}%`

/** 传输中 45%, 已就绪. */
export function presenceText(host: ImageOnHost): string {
  const share = host.status === 'running' ? shareOf(host) : null
  return `${presenceWords[host.status]}${share === null ? '' : ` ${percentText(share)}`}`
}

/** Whether it changes by itself. */
export const isMoving = ({ alive, status }: Pick<ImageOnHost, 'alive' | 'status'>): boolean =>
  alive && (status === 'running' || status === 'checking')
