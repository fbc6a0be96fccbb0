/**
 * A machine's screen (RFB) or serial line in the browser: `console.openRemote` gives a ticket; a socket at `remotePath`
 * carries the bytes in binary frames.
 */
export const remoteKinds = ['screen', 'serial'] as const
export type RemoteKind = (typeof remoteKinds)[number]

export const remotePath = '/remote-console'
/** Offered with the ticket, to keep it out of addresses: `[remoteProtocol, ticket]`. */
export const remoteProtocol = 'vps.remote'

/** Where the agent brings bytes; headers say for whom. */
export const agentRemotePath = '/agent/console'
export const agentRemoteHeaders = { id: 'x-console-id', secret: 'x-console-secret' } as const

export const remoteLimits = {
  ticketSeconds: 60,
  openSeconds: 3600,
  /** For the agent to come. */
  agentSeconds: 15,
  /** Proxies cut a connection without a byte in 60 s. */
  pingSeconds: 20,
  /** A revocation nobody told of. */
  lookAgainSeconds: 60,
  /** That a host is told of at once. */
  handedAtOnce: 64,
  /** Of a browser's message: the API closes on one of more than 64 KiB. */
  messageBytes: 16 * 1024,
} as const

export const remoteEndNames = [
  'expired',
  'replaced',
  'over',
  'revoked',
  'unreachable',
  'off',
  'machine',
  'restarted',
  'full',
] as const
export type RemoteEnd = (typeof remoteEndNames)[number]

/** The socket's closing code, and what its viewer reads. */
export const remoteEnds: Record<RemoteEnd, { code: number; text: string }> = {
  expired: { code: 4000, text: '连接凭证无效或已过期，请重新打开' },
  replaced: { code: 4001, text: '远程连接已在其他窗口打开' },
  over: { code: 4002, text: '连接已满一小时，请重新打开' },
  revoked: { code: 4003, text: '您已无权访问该服务器的远程连接' },
  unreachable: { code: 4004, text: '宿主机没有响应，请稍后重试' },
  off: { code: 4005, text: '服务器已关机或没有可显示的画面' },
  machine: { code: 4006, text: '服务器已关机或正在重装，连接已断开' },
  restarted: { code: 4007, text: '服务正在重启，请重新打开' },
  full: { code: 4008, text: '这台宿主机上打开的远程连接已达上限，请稍后重试' },
}

export const remoteEndings = [...remoteEndNames, 'left'] as const
export type RemoteEnding = (typeof remoteEndings)[number]

/** Null: not ours, so lost. */
export function remoteEndOf(code: number): RemoteEnd | null {
  return remoteEndNames.find((end) => remoteEnds[end].code === code) ?? null
}
