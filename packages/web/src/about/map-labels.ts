import { pitch, side } from '../ui/cell-paths'
import { cellOf } from './map-grid'

interface At {
  latitude: number
  longitude: number
}

/** From the top of one label to the next. */
export const labelHeight = 30
/** Farther apart than this, two labels cannot meet. */
const labelWidth = 260
/** From the cell to its label. */
const away = 34

export interface MapLabel<Place> {
  place: Place
  /** The cell's middle, and where the label begins: at its middle height. */
  from: { x: number; y: number }
  to: { x: number; y: number }
}

/** Each place's label right of its cell, as high as it is or, where another stands already, right below that one. */
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
