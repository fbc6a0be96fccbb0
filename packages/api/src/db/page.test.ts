import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../testing/app.js'
import { pageOfFound } from './page.js'

let app: TestApp
beforeEach(async () => void (app = await startApp()))
afterEach(() => app.close())

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const found = (from: number, to: number) => ({
  limit: (most: number) => sql`(select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
    'epoch'::timestamptz + n * interval '1 second' as created_at from generate_series(${from}::int, ${to}::int) n limit ${most})`,
})
const walk = { limit: () => ({ offset: () => ({ execute: () => Promise.resolve([{ id: id(999) }]) }) }) }

describe('a page of what several searches find', () => {
  test('has each once, the newest first, and says how many there are', async () => {
    const searches = [found(1, 5), found(4, 8), found(20, 20)]
    const first = await pageOfFound(app.db, searches, walk, { page: 0, size: 3 })
    expect(first).toEqual({ ids: [20, 8, 7].map(id), count: { totalElements: 9 } })
    expect((await pageOfFound(app.db, searches, walk, { page: 2, size: 3 })).ids).toEqual([3, 2, 1].map(id))
    expect((await pageOfFound(app.db, searches, walk, { page: 3, size: 3 })).ids).toEqual([])
  })

  test('is looked for in their order where there are more than are counted, since only some of them were found', async () => {
    const page = (upTo: number) => pageOfFound(app.db, [found(1, upTo), found(1, 2)], walk, { page: 0, size: 1 })
    expect(await page(10_000)).toEqual({ ids: [id(10_000)], count: { totalElements: 10_000 } })
    expect(await page(10_001)).toEqual({ ids: [id(999)], count: { totalElements: 10_000, totalIsEstimate: true } })
  })
})
