/** A page's address as the client's router writes it: `/server-manage/:id?`, where `?` says that the part may be missing. */
export function isAt(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')]
  return (
    given.length <= parts.length &&
    parts.every((part, n) => (part.startsWith(':') ? part.endsWith('?') || Boolean(given[n]) : part === given[n]))
  )
}

/** The page of a server's remote console fills the window: there is nothing around it. */
export const remotePage = '/remote/:serverId'
