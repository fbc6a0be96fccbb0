/** Where machines stand: a line each. */

/** Without a probe latency is not measured. */
export interface Place {
  name: string
  latitude: number
  longitude: number
  probe: string | null
}

/** More would be no map. */
export const mostPlaces = 20
export const placesLead = '选离您的用户最近的机房；延迟由您的浏览器直接测量。'
export const placeFormat = '每行一个机房：名称，纬度，经度，测速地址（可不填）'

const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`
/** A host's letters alone, so that an address cannot end anything in the content policy; or our own address. */
const address = String.raw`(https:\/\/[\da-z.-]+(?::\d+)?(?:\/\S*)?|\/[^/\s]\S*)`
const line = new RegExp(`^([^,]{1,20}),${number},${number}(?:,${address})?$`, 'i')

/** Null: none. */
export function placeOf(text: string): Place | null {
  const [, name = '', latitude, longitude, probe = null] =
    line.exec(text.trim().replaceAll(/\s*[,\uFF0C]\s*/g, ',')) ?? []
  const place = { name: name.trim(), latitude: Number(latitude), longitude: Number(longitude), probe }
  return place.name && Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : null
}

const linesOf = (text: string) => text.split('\n').filter((one) => one.trim() !== '')

/** The lines that are places. */
export const placesOf = (text: string): Place[] => linesOf(text).flatMap((one) => placeOf(one) ?? [])

/** Null: nothing wrong. */
export function placesFault(text: string): string | null {
  const lines = linesOf(text)
  if (lines.length > mostPlaces) return `最多 ${mostPlaces} 个机房`
  const wrong = lines.findIndex((one) => placeOf(one) === null)
  if (wrong >= 0) return `第 ${wrong + 1} 行不正确。${placeFormat}`
  const names = placesOf(text).map(({ name }) => name)
  const twice = names.find((name, n) => names.indexOf(name) !== n)
  return twice === undefined ? null : `机房「${twice}」写了两次`
}

/** What a visitor's browser may ask to measure. */
export const probeOrigins = (text: string): string[] => [
  ...new Set(placesOf(text).flatMap(({ probe }) => probe?.match(/^https:\/\/[^/]+/i)?.[0].toLowerCase() ?? [])),
]
