import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { shopKinds } from '@vps/shared/notifications'
import { expect, test, vi } from 'vitest'

const features = path.resolve(import.meta.dirname, '../features/admin')
const sources = readdirSync(features, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx') || name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(features, name), 'utf8'))

const asked = ['catalogue.priceGroupName']

test('every read of the administration is asked again when something that touches it changed', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('window', new EventTarget())
  const { operatorsReads } = await import('./operators-reads')
  vi.unstubAllGlobals()
  const shown = sources.flatMap((source) =>
    [...source.matchAll(/\btrpc\.([\w.]+)\.useQuery\(/g)].map(([, read]) => read!),
  )
  expect(shown.length).toBeGreaterThan(15)
  const paced = operatorsReads.map(({ queryKey }) => (queryKey[0] as string[]).join('.'))
  expect([...new Set(shown)].filter((read) => !paced.includes(read) && !asked.includes(read))).toEqual([])
  expect(
    operatorsReads.filter(({ kinds }) => kinds.length === 0 || !kinds.every((kind) => shopKinds.includes(kind))),
  ).toEqual([])
})

test('nothing of the administration is asked again by the clock, but for what falls silent', () => {
  const polls = sources.flatMap((source) =>
    [...source.matchAll(/refetchInterval: ([^ ,}]+)/g)].map(([, pause]) => pause),
  )
  expect(new Set(polls)).toEqual(new Set(['silenceLookMs']))
})
