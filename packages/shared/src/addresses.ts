/** As the client's router: `/server-manage/:id?`, where `?` may be missing. */
export function isAt(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')]
  return (
    given.length <= parts.length &&
    parts.every((part, n) => (part.startsWith(':') ? part.endsWith('?') || Boolean(given[n]) : part === given[n]))
  )
}

/** Fills the window. */
export const remotePage = '/remote/:serverId'
