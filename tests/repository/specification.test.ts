/** Keeps `docs/specification.md` true: every row names code that is there and a test that is in its file. */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const page = fs.readFileSync(path.join(root, 'docs/specification.md'), 'utf8')

/** Sections that must be there, with the last row that each had when it was written out: rows are added, never lost. */
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

type Row = { id: string; requirement: string; code: string; proof: string }

const rowsBySection = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section): [string, Row[]] => [section.split('\n')[0]!.trim(), rowsOf(section)]),
)
const rows = [...rowsBySection.values()].flat()

function rowsOf(section: string): Row[] {
  return section
    .split('\n')
    .filter((line) => /^\| P\d/.test(line))
    .map((line) => {
      const [, id = '', requirement = '', code = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return { id, requirement, code, proof }
    })
}

const source = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

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

  test.each(rows)('$id is proven by a test in its file, or says why not: $requirement', ({ proof }) => {
    if (proof.startsWith('未完成')) return expect(proof.length).toBeGreaterThan(10)
    const proofs = proof.split('<br>').map((one) => /^`([^`]+)` › (.+)$/.exec(one)?.slice(1) as [string, string])
    expect(proofs.every(Boolean), proof).toBe(true)
    const missing = proofs.filter(([file, name]) => !isTestOf(file, name.replaceAll('\\|', '|')))
    expect(missing).toEqual([])
  })
})

/** The name as the source has it, opened by the quote of a `test(…)`, `it(…)` or `.each(…)(…)`. */
function isTestOf(file: string, name: string): boolean {
  if (!/\.(test|spec)\.tsx?$/.test(file) || !fs.existsSync(path.join(root, file))) return false
  const text = source(file)
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => text.includes(quoted))
}

test('the rows that do not hold yet are counted and printed', () => {
  const open = rows.filter(({ proof }) => proof.startsWith('未完成'))
  console.log(`specification: ${rows.length} rows, ${open.length} 未完成${open.map(({ id }) => ` ${id}`).join('')}`)
  expect(rows.length).toBeGreaterThanOrEqual(249)
})
