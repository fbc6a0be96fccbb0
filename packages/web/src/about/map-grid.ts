/** The Pacific in the middle, from Greenland to Chile. */
export const cellDegrees = 4
export const leftmost = -30
export const topmost = 80
export const columns = 90
export const rows = 34

/** The cell a place lies in. */
export function cellOf({ latitude, longitude }: { latitude: number; longitude: number }): {
  column: number
  row: number
} {
  const east = (longitude - leftmost + 360) % 360
  const row = Math.floor((topmost - latitude) / cellDegrees)
  return { column: Math.floor(east / cellDegrees), row: Math.min(rows - 1, Math.max(0, row)) }
}
