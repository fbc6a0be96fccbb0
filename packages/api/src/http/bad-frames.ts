/** What breaks the sockets' protocol (RFC 6455) ends its own socket: no fault of ours, or any stranger fills the log. */
export const isBadFrame = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('WS_ERR_')
