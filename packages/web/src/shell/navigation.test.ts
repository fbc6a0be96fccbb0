import { describe, expect, test } from 'vitest'
import { isGroup, isWithin, navigationFor } from './navigation'

const user = {
  id: 'u',
  username: 'demo',
  email: 'demo@example.com',
  role: 'USER',
  isAdmin: false,
  createdAt: '',
} as const
const admin = { ...user, role: 'ADMIN', isAdmin: true } as const
const names = (session: Parameters<typeof navigationFor>[0]) => navigationFor(session).map(({ label }) => label)
const addresses = (session: Parameters<typeof navigationFor>[0]) =>
  navigationFor(session).flatMap((item) => (isGroup(item) ? item.entries : [item]).map(({ href }) => href))

describe('the navigation', () => {
  test('of a visitor has the home page and the products alone', () => {
    expect(names({ token: null, user: null })).toEqual(['首页', '产品'])
  })

  test('of a customer has the dashboard and the money besides', () => {
    expect(names({ token: 't', user })).toEqual(['首页', '控制台', '产品', '财务'])
  })

  test('of an administrator has the server management right after the dashboard', () => {
    expect(names({ token: 't', user: admin })).toEqual([
      '首页',
      '控制台',
      '服务器管理',
      '商务',
      '机房',
      '系统',
      '产品',
      '财务',
    ])
  })

  test('shows nothing of the administration while it is not known who is signed in', () => {
    expect(names({ token: 't', user: null })).toEqual(['首页', '控制台', '产品', '财务'])
  })

  test('leads to each page once', () => {
    for (const who of [user, admin]) {
      const all = addresses({ token: 't', user: who })
      expect(all).toEqual([...new Set(all)])
    }
  })

  test('marks the list at each of its things, and no other list', () => {
    expect(isWithin('/hosts', '/hosts')).toBe(true)
    expect(isWithin('/hosts/h1', '/hosts')).toBe(true)
    expect(isWithin('/hosts-old', '/hosts')).toBe(false)
    expect(isWithin('/hosts', '/')).toBe(false)
  })
})
