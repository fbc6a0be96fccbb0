import { expect, test } from 'vitest'
import { land } from './land'
import { cellOf, columns, rows } from './map-grid'
import { labelHeight, labelsOf } from './map-labels'

const shanghai = { latitude: 31.2, longitude: 121.5 }
const suzhou = { latitude: 31.3, longitude: 120.6 }
const tokyo = { latitude: 35.7, longitude: 139.7 }
const losAngeles = { latitude: 34, longitude: -118.2 }

test('the map is as large as its grid, and towns by the sea stand on land or beside it', () => {
  expect(land).toHaveLength(rows)
  for (const row of land) expect(row).toHaveLength(columns)
  for (const town of [shanghai, tokyo, losAngeles, { latitude: 52.5, longitude: 13.4 }]) {
    const { column, row } = cellOf(town)
    expect(land[row]?.slice(column - 1, column + 2)).toContain('#')
  }
})

test('the poles and the date line are within it', () => {
  expect(cellOf({ latitude: 90, longitude: 180 })).toEqual({ column: 52, row: 0 })
  expect(cellOf({ latitude: -90, longitude: -180 })).toEqual({ column: 52, row: rows - 1 })
  expect(cellOf({ latitude: 0, longitude: -31 }).column).toBe(columns - 1)
})

test('no two labels lie over each other, and each says where it belongs', () => {
  const labels = labelsOf([shanghai, suzhou, tokyo, losAngeles, { latitude: 31, longitude: 122 }])
  for (const one of labels)
    for (const other of labels)
      if (one !== other && Math.abs(one.to.x - other.to.x) < 260)
        expect(Math.abs(one.to.y - other.to.y)).toBeGreaterThanOrEqual(labelHeight)
  expect(labels.find(({ place }) => place === losAngeles)?.to.y).toBe(
    labels.find(({ place }) => place === losAngeles)?.from.y,
  )
})
