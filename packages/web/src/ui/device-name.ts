import { mostDevices } from '@vps/shared/accounts'
import * as labels from '@vps/shared/labels'

/** Chrome · Windows */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return labels.unknownDevice
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /Firefox\//.test(userAgent)
      ? 'Firefox'
      : /Chrome\//.test(userAgent)
        ? 'Chrome'
        : /Safari\//.test(userAgent)
          ? 'Safari'
          : (userAgent.split(/[ /]/)[0] ?? labels.unknownDevice)
  const system = /Windows/.test(userAgent)
    ? 'Windows'
    : /Android/.test(userAgent)
      ? 'Android'
      : /iPhone|iPad/.test(userAgent)
        ? 'iOS'
        : /Mac OS X/.test(userAgent)
          ? 'macOS'
          : /Linux/.test(userAgent)
            ? 'Linux'
            : ''
  return system ? `${browser} · ${system}` : browser
}

export const onlyNewest = `仅列出最近使用的 ${mostDevices} 台`
