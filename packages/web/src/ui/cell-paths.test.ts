import { expect, it } from 'vitest'
import { cellPaths, figureCells } from './cell-paths'

it('draws each cell once, in its row and place, the shorter the less there is', () => {
  const paths = new Map(cellPaths(['none', 'good', 'minor', 'major', 'good'], 3))
  expect(paths.get('none')).toBe('M2 9v-7h7v7z')
  expect(paths.get('good')).toBe('M16 9v-7h7v7zM16 23v-7h7v7z')
  expect(paths.get('minor')).toBe('M30 9v-4h7v4z')
  expect(paths.get('major')).toBe('M2 23v-2h7v2z')
})

it('tells a figure in lit cells, unlit ones around it', () => {
  const { cells, columns } = figureCells('404')
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    cells
      .slice(row * columns, (row + 1) * columns)
      .map((level) => (level === 'good' ? '#' : '.'))
      .join(''),
  )
  expect(rows).toEqual([
    '...............',
    '..#.#.###.#.#..',
    '..#.#.#.#.#.#..',
    '..###.#.#.###..',
    '....#.#.#...#..',
    '....#.###...#..',
    '...............',
  ])
})
