export type Place = { url: URL; headers: Record<string, string> }

/** User and password go into a header: fetch takes none in addresses, and logs must show none. */
export function toPlace(address: string): Place {
  const url = new URL(address)
  const user = [url.username, url.password].map(decodeURIComponent).join(':')
  url.username = url.password = ''
  return { url, headers: user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` } }
}

/** A path below it. */
export const below = ({ url, headers }: Place, path: string): Place => ({
  url: new URL(path, url.href.endsWith('/') ? url : `${url.href}/`),
  headers,
})
