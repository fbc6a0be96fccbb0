import { pitch, side } from '../ui/cell-paths'
import { cellOf } from './map-grid'

interface At {
  latitude: number
  longitude: number
}

export const labelHeight = 30
/** Farther apart, two labels cannot meet. */
const labelWidth = 260
const away = 34

export interface MapLabel<Place> {
  place: Place
  from: { x: number; y: number }
  to: { x: number; y: number }
}

/** Right of each cell, or below a label in the way. */
export function labelsOf<Place extends At>(places: readonly Place[]): MapLabel<Place>[] {
  const points = places.map((place) => {
    const { column, row } = cellOf(place)
    return { place, from: { x: column * pitch + side / 2, y: row * pitch + side / 2 } }
  })
  const set: MapLabel<Place>[] = []
  for (const { place, from } of points.toSorted((a, b) => a.from.y - b.from.y || a.from.x - b.from.x)) {
    const to = { x: from.x + away, y: from.y }
    const near = set.filter((other) => Math.abs(other.to.x - to.x) < labelWidth)
    to.y = Math.max(to.y, ...near.map((other) => other.to.y + labelHeight))
    set.push({ place, from, to })
  }
  return set
}
