import { NODATA, NOTFOUND, promises } from 'node:dns'

/** A name's addresses of both families; none where it does not exist. Null: unknown just now. */
export type ResolveName = (name: string) => Promise<string[] | null>

const limits = { timeout: 2_000, tries: 2 }

/** Asks this machine's name servers, or others; a few seconds at most. */
export function nameResolver(servers?: readonly string[]): ResolveName {
  return async (name) => {
    const resolver = new promises.Resolver(limits)
    if (servers) resolver.setServers([...servers])
    try {
      const [four, six] = await Promise.all([known(resolver.resolve4(name)), known(resolver.resolve6(name))])
      return [...four, ...six]
    } catch {
      return null
    }
  }
}

async function known(asked: Promise<string[]>): Promise<string[]> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === NODATA || error.code === NOTFOUND)) return []
    throw error
  }
}
