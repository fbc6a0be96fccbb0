import type { Readiness } from '@vps/shared/jobs'

/** How an image's readiness is proven. */
export const readinessWords: Record<Readiness, string> = {
  ssh: 'SSH 登录',
  'guest-agent': '客户机代理',
  none: '仅启动',
}
