/**
 * Keeps `docs/specification.md` whole: no row is lost, and each names code and tests that are there. `npm test` sees
 * that they ran.
 */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { proofsOf, readSpecification } from '../../scripts/proofs.js'

const root = path.resolve(import.meta.dirname, '../..')

/** With the last row of each: rows are added, never lost. */
const sections: Record<string, string> = {
  'Part 1, section 1: What the product does and for whom': 'P1-1.08',
  'Part 1, section 2: Screens and routes': 'P1-2.61',
  'Part 1, section 3: Entities and their fields': 'P1-3.11',
  'Part 1, section 4: States and transitions': 'P1-4.08',
  'Part 1, section 5: Validation rules': 'P1-5.09',
  'Part 1, section 6: Roles and permissions': 'P1-6.06',
  'Part 1, section 7: The calls it makes': 'P1-7.22',
  'Part 1, section 8: The error catalogue': 'P1-8.21',
  'Part 1, section 9: Business constants and limits': 'P1-9.13',
  'Part 2, section 1: What the product does and for whom': 'P2-1.03',
  'Part 2, section 2: Screens and routes': 'P2-2.26',
  'Part 2, section 3: Entities and their fields': 'P2-3.10',
  'Part 2, section 4: States and transitions': 'P2-4.06',
  'Part 2, section 5: Validation rules': 'P2-5.07',
  'Part 2, section 6: Roles and permissions': 'P2-6.02',
  'Part 2, section 7: The calls it makes': 'P2-7.15',
  'Part 2, section 8: Error catalogue': 'P2-8.10',
  'Part 2, section 9: Business constants, theme and display': 'P2-9.11',
}

const rowsBySection = readSpecification()
const rows = [...rowsBySection.values()].flat()

test('every section of both parts is there with all of its rows, in their order, each once', () => {
  for (const [title, last] of Object.entries(sections)) {
    const ids = rowsBySection.get(title)?.map(({ id }) => id) ?? []
    const [section, count] = last.split('.') as [string, string]
    const wanted = Array.from({ length: Math.max(Number(count), ids.length) }, (_, i) => `${section}.${pad(i + 1)}`)
    expect(ids, title).toEqual(wanted)
  }
})

const pad = (row: number) => String(row).padStart(2, '0')

describe('every row', () => {
  test.each(rows)('$id names code that is there: $requirement', ({ code }) => {
    const files = [...code.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)
    expect(files).not.toEqual([])
    expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([])
  })

  test.each(rows)('$id names tests in files that are there, or says why not: $requirement', (row) => {
    if (row.proof.startsWith('未完成')) return expect(row.proof.length).toBeGreaterThan(10)
    const files = proofsOf(row).map(({ file }) => file)
    expect(files).not.toEqual([])
    const isThere = (file: string) => /\.(test|spec)\.tsx?$/.test(file) && fs.existsSync(path.join(root, file))
    expect(files.filter((file) => !isThere(file))).toEqual([])
  })
})

test('the rows that do not hold yet are counted and printed', () => {
  const open = rows.filter(({ proof }) => proof.startsWith('未完成'))
  console.log(`specification: ${rows.length} rows, ${open.length} 未完成${open.map(({ id }) => ` ${id}`).join('')}`)
  expect(rows.length).toBeGreaterThanOrEqual(249)
})
