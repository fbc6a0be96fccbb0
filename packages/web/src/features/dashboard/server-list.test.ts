import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import { id, row } from '../../testing/things'
import { installWord } from './install-word'
import { entriesOf, installing, type Ask } from './server-entries'
import { expiresSoon, isWanted, living } from './server-list'

const now = new Date('2026-11-20T12:00:00Z')

describe('a server is found', () => {
  const system = { osName: 'Debian', osVersion: '12' }
  const found = { ipAddress: '10.66.0.4', labels: ['网站'] }
  const server = row({ orderNumber: 'V261027Z0V3WYDR8Q', serverName: '香港标准型-WYDR8Q', ...system, ...found })
  const wanted = (q: string, status = '') => isWanted({ q, status, label: '' }, now)(server)

  test.each(['', 'v261027', 'WYDR8Q', 'wydr8q', '香港', 'deb', 'debian 12', ' 香港 '])('by "%s"', (q) => {
    expect(wanted(q)).toBe(true)
  })

  test('by its address and its labels, and not by what it does not have', () => {
    expect([wanted('10.66.0.4'), wanted('网站'), wanted('10.66.0.9'), wanted('Ubuntu')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(isWanted({ q: '10.66', status: '', label: '' }, now)(row({ ipAddress: null }))).toBe(false)
  })

  test('by its state, and by both only where both fit', () => {
    expect([wanted('', 'ACTIVE'), wanted('', 'SUSPENDED')]).toEqual([true, false])
    expect([wanted('deb', 'ACTIVE'), wanted('deb', 'PAID'), wanted('ubuntu', 'ACTIVE')]).toEqual([true, false, false])
  })
})

test('those that end soon are found like a state', () => {
  const soon = isWanted({ q: '', status: 'SOON', label: '' }, now)
  expect(soon(row({ expiresAt: '2026-11-21T12:00:00Z' }))).toBe(true)
  expect(soon(row({ expiresAt: '2026-12-21T12:00:00Z' }))).toBe(false)
})

test('what ended, or was never paid, is no server', () => {
  expect(living).toEqual(['PAID', 'PROCESSING', 'ACTIVE', 'SUSPENDED'])
})

describe('a server runs out soon', () => {
  const soon = (expiresAt: string | null) => expiresSoon({ expiresAt }, now)

  test('in its last seven days, to the second', () => {
    expect(soon('2026-11-20T12:00:01Z')).toBe(true)
    expect(soon('2026-11-27T12:00:00Z')).toBe(true)
    expect(soon('2026-11-27T12:00:01Z')).toBe(false)
  })

  test('neither after that, nor before it has begun', () => {
    expect([soon('2026-11-20T12:00:00Z'), soon('2026-11-19T00:00:00Z'), soon(null)]).toEqual([false, false, false])
  })
})

describe('the menu of a server', () => {
  let opened: unknown
  let restarted: unknown
  let renewed: unknown
  const ask: Ask = (what, order) => {
    if (what === 'install') opened = order
    if (what === 'restart') restarted = order
    if (what === 'renew') renewed = order
  }
  const entry = (name: string, changes: Parameters<typeof row>[0]) =>
    entriesOf(row(changes), ask).find(({ id }) => id === name)
  const server = { id: id(12), status: 'ONLINE', power: 'on', driver: 'kvm', hostLost: false } as const

  test('installs anew what is active', () => {
    const install = entry('install', {})
    expect(install).toMatchObject({ label: '重装系统', reason: null })
    install?.onAction?.()
    expect(opened).toMatchObject({ id: row().id })
  })

  test('restarts what is active and has a server, and nothing else', () => {
    const restart = entry('restart', {})
    expect(restart).toMatchObject({ label: '重启', reason: null })
    restart?.onAction?.()
    expect(restarted).toMatchObject({ id: row().id })
    expect(entry('restart', { status: 'SUSPENDED', suspendReason: 'unpaid' })?.reason).toEqual(expect.any(String))
    expect(entry('restart', { status: 'PAID', server: null, serverId: null })?.reason).toBe(text.installNotStarted)
  })

  test('of one on a lost host asks for nothing there, and says why', () => {
    const lost = { server: { ...server, installStatus: 'COMPLETED', hostLost: true } } as const
    for (const name of ['restart', 'install', 'remote']) expect(entry(name, lost)?.reason, name).toBe(text.onLostHost)
    expect(entry('renew', lost)?.reason).toBe(text.onLostHost)
  })

  test('of a dedicated one offers neither a new system nor a screen, and says why', () => {
    const dedicated = { server: { ...server, installStatus: 'COMPLETED', driver: 'ssh' } } as const
    expect(entry('install', dedicated)?.reason).toBe('该服务器不支持此操作')
    expect(entry('remote', dedicated)?.reason).toBe(text.noRemoteConsole)
    expect(entry('restart', dedicated)?.reason).toBeNull()
  })

  test('leads to the installation that is under way, whatever the order is', () => {
    const shown = { label: '查看进度', href: `/server-install-progress/${id(12)}` }
    expect(entry('install', { server: { ...server, installStatus: 'INSTALLING' } })).toMatchObject(shown)
    expect(entry('install', { status: 'PAID', server: null })).toMatchObject(shown)
    expect(entry('install', { status: 'PROCESSING', server: null })).toMatchObject(shown)
  })

  test('leads to its order, where it is upgraded and given back, whatever the order is', () => {
    for (const status of living)
      expect(entry('order', { status })).toMatchObject({ label: '查看订单', href: `/orders?orderId=${row().id}` })
  })

  test('leads to none before there is a server', () => {
    expect(entry('install', { status: 'PAID', server: null, serverId: null })).toEqual({
      id: 'install',
      label: '查看进度',
      reason: text.installNotStarted,
    })
  })

  test('of one that is suspended renews it, and says why nothing else', () => {
    const suspended = { status: 'SUSPENDED', suspendReason: 'unpaid' } as const
    expect(entry('install', suspended)?.reason).toBe('只有活跃的服务器可以重装系统')
    expect(entry('connect', suspended)?.reason).toBe('只有活跃的服务器可以连接')
    expect(entry('renew', suspended)?.reason).toBeNull()
    entry('renew', suspended)?.onAction?.()
    expect(renewed).toMatchObject({ id: row().id, status: 'SUSPENDED' })
  })

  test('leads to the console where what stands beside it leads to the installation', () => {
    const reinstalled = { server: { ...server, installStatus: 'INSTALLING' } } as const
    expect(entry('manage', reinstalled)).toMatchObject({ reason: null, href: `/server-manage/${row().id}` })
    expect(entry('manage', { status: 'PAID' })?.reason).toBe('服务器尚未开通或已释放')
    expect(entry('manage', {})).toBeUndefined()
  })

  test('calls the installation by what it would be', () => {
    expect(installWord({ server: null })).toBe('安装系统')
    expect(installWord({ server: { ...server, installStatus: 'INSTALLING' } })).toBe('查看进度')
    for (const installStatus of ['COMPLETED', 'FAILED'] as const)
      expect(installWord({ server: { ...server, installStatus } })).toBe('重装系统')
  })

  test('knows an installation by the order before there is a server, and by the server afterwards', () => {
    expect(installing(row())).toBe(false)
    expect(installing(row({ status: 'PAID' }))).toBe(true)
    expect(installing(row({ server: { ...server, installStatus: 'INSTALLING' } }))).toBe(true)
  })
})
