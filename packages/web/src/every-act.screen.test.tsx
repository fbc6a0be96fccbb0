import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { customersActs } from './testing/customers-acts'
import { operatorsActs } from './testing/operators-acts'
import { callsOf, open } from './testing/screen'
import type { Reply } from './testing/script'
import { inDays, pageOf } from './testing/things'

const sources = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.*', '!./testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

const briefly = { timeout: 5_000 }

const signOuts = [
  {
    from: 'shell/UserMenu.tsx',
    open: () => page.getByRole('button', { name: '用户菜单' }).click(briefly),
    entry: 'menuitem',
  },
  {
    from: 'shell/palette-sections.ts',
    open: () => page.getByRole('button', { name: '快速跳转' }).click(briefly),
    entry: 'menuitem',
  },
] as const

test('whatever a screen sends is tried refused and with its answer lost', () => {
  const sent = Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(/trpc\s*\.([\w.]+)\.useMutation\(/g)].map(([, path]) => `${file.slice(2)} ${path}`),
  )
  const tried = [
    ...customersActs,
    ...operatorsActs,
    ...signOuts.map(({ from }) => ({ from, path: 'accounts.signOut' })),
  ]
  expect([...new Set(tried.map(({ from, path }) => `${from} ${path}`))].toSorted()).toEqual(
    [...new Set(sent)].toSorted(),
  )
})

test('what goes out under a key is what is written so in the sources', () => {
  const keyed = Object.entries(sources).flatMap(([file, source]) =>
    /useKeyed\(/.test(source) && file !== './api/use-keyed.ts' ? [file.slice(2)] : [],
  )
  const tried = [...customersActs, ...operatorsActs].filter(({ keyed }) => keyed).map(({ from }) => from)
  expect([...new Set(tried)].toSorted()).toEqual(keyed.toSorted())
})

const answers: [what: string, answer: Reply<null>][] = [
  ['refused', { refused: 'INTERNAL' }],
  ['lost', 'lost'],
]
describe.each(signOuts)('signing out from $from', ({ open: openMenu, entry }) => {
  test.each(answers)('ends the session here where it is %s', async (_what, answer) => {
    await open('/transactions', {
      'wallet.page': { data: pageOf() },
      'wallet.summary': { data: { income: 0, expense: 0, count: 0, pending: 0 } },
      'wallet.get': { data: { balance: 0, updatedAt: inDays(0) } },
      'orders.list': { data: [] },
      'accounts.signOut': answer,
    })
    const signOut = page.getByRole(entry, { name: '退出登录' })
    // The menu's code comes later: until then its button does nothing.
    const opened = async () => {
      if (signOut.elements().length === 0) await openMenu().catch(() => undefined)
      return signOut.elements()
    }
    await expect.poll(opened, { timeout: 60_000, interval: 500 }).toHaveLength(1)
    await signOut.click()
    await expect.poll(() => location.pathname).toBe('/auth')
    expect(localStorage.getItem('token')).toBeNull()
    expect(await callsOf('accounts.signOut')).toHaveLength(1)
  })
})
