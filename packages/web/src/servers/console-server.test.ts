import { describe, expect, test } from 'vitest'
import { details, order, row } from '../testing/things'
import { consoleOf, uptimeText } from './console-server'

describe('what the console shows of a server', () => {
  test('is what its details say, with the order beside them', () => {
    const shown = consoleOf(order(), details({ serverName: 'a name of its own' }))
    expect(shown).toMatchObject({ serverName: 'a name of its own', known: true, order: { id: order().id } })
  })

  test('is what the order knows where they cannot be read, and claims nothing that would have to be observed', () => {
    const known = order()
    const shown = consoleOf(known, undefined)
    const { ipAddress, sshPort, cpuCores, groupName, expiresAt } = known
    expect(shown).toMatchObject({ ipAddress, sshPort, cpuCores, groupName, expiryDate: expiresAt, known: false })
    expect(shown).toMatchObject({ powerObservedAt: null, uptime: null, openJob: null, trouble: null })
    expect(shown.ipAddresses).toEqual([ipAddress])
  })

  test('has no address and an unknown power where even the order knows of none', () => {
    const shown = consoleOf(order({ ipAddress: null, server: null, serverId: null }), undefined)
    expect(shown).toMatchObject({ id: '', ipAddresses: [], status: 'OFFLINE', power: 'unknown', installStatus: null })
  })

  test('keeps the power that the list told last', () => {
    const server = { ...row().server!, power: 'off', status: 'OFFLINE' } as const
    expect(consoleOf(order({ server }), undefined)).toMatchObject({ power: 'off', status: 'OFFLINE' })
  })
})

test.each([
  [null, null],
  [0, '0 秒'],
  [59.9, '59 秒'],
  [60, '1 分钟'],
  [3_599, '59 分钟'],
  [3_600, '1 小时 0 分钟'],
  [86_399, '23 小时 59 分钟'],
  [86_400, '1 天 0 小时'],
  [273_600, '3 天 4 小时'],
])('%s seconds of running are told as %s', (seconds, shown) => {
  expect(uptimeText(seconds)).toBe(shown)
})
