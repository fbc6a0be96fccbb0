/**
 * `npm run land`: where land is on the home page's map, in cells, from the world's outline (Natural Earth, public
 * domain).
 */
import { createRequire } from 'node:module'
import fs from 'node:fs'
import { cellDegrees, columns, leftmost, rows, topmost } from '../packages/web/src/about/map-grid.js'
import { writeOrCompare } from './generated-file.js'

type Point = readonly [longitude: number, latitude: number]
interface Topology {
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: { land: { geometries: { arcs: number[][][] }[] } }
}

const require = createRequire(import.meta.url)
const file = require.resolve('world-atlas/land-110m.json')
const { transform, arcs, objects }: Topology = JSON.parse(fs.readFileSync(file, 'utf8'))

/** Each point of an arc is said from the one before; an arc of `~n` is arc n from its end. */
function pointsOf(arc: number): Point[] {
  let [x, y] = [0, 0]
  const points = (arcs[arc < 0 ? ~arc : arc] ?? []).map(([dx, dy]): Point => {
    ;[x, y] = [x + dx, y + dy]
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]
  })
  return arc < 0 ? points.toReversed() : points
}

const rings = objects.land.geometries.flatMap(({ arcs: polygons }) =>
  polygons.flatMap((polygon) => polygon.map((ring) => [ring].flat().flatMap(pointsOf))),
)

/** By the edges that lie east of it. */
const isLand = (longitude: number, latitude: number): boolean =>
  rings.reduce((inside, ring) => {
    const crossed = ring.filter(([x, y], n) => {
      const [px, py] = ring.at(n - 1) ?? [x, y]
      return y > latitude !== py > latitude && longitude < ((px - x) * (latitude - y)) / (py - y) + x
    })
    return inside !== (crossed.length % 2 === 1)
  }, false)

/** A cell is land where two fifths of it are. */
function cellOf(column: number, row: number): string {
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  const lands = parts.flatMap((right) =>
    parts.map((down) => {
      const longitude = leftmost + (column + right) * cellDegrees
      return isLand(longitude > 180 ? longitude - 360 : longitude, topmost - (row + down) * cellDegrees)
    }),
  )
  return lands.filter(Boolean).length >= 10 ? '#' : '.'
}

const picture = Array.from({ length: rows }, (_, row) =>
  Array.from({ length: columns }, (__, column) => cellOf(column, row)).join(''),
)
writeOrCompare(
  'packages/web/src/about/land.ts',
  `/** Written by \`npm run land\`: the world's land in cells, the Pacific in its middle. */
export const land = [
${picture.map((line) => `  '${line}',\n`).join('')}]
`,
  'npm run land',
)
