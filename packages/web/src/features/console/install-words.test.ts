import type { InstallProgress } from '@vps/shared/console.contract'
import { describe, expect, test } from 'vitest'
import { id } from '../../testing/things'
import { headline, isOpen, tabTitle, typicalText } from './install-words'
import { trafficChart, usageChart } from './metric-charts'

const progress = (changes: Partial<InstallProgress> = {}): InstallProgress => ({
  serverId: id(12),
  orderId: id(11),
  orderStatus: 'PROCESSING',
  wasActive: false,
  serverName: '香港标准型-WYDR8Q',
  installStatus: 'INSTALLING',
  driver: 'kvm',
  jobId: id(81),
  kind: 'install',
  steps: [],
  percentage: 40,
  attempt: 1,
  startedAt: null,
  finishedAt: null,
  typicalSeconds: null,
  error: null,
  ...changes,
})
const steps = (...statuses: InstallProgress['steps'][number]['status'][]) =>
  statuses.map((status, i) => ({ name: `s${i}`, label: `第 ${i} 步`, status, startedAt: null, finishedAt: null }))

describe('an installation', () => {
  test.each<[Partial<InstallProgress>, boolean, string]>([
    [{}, true, '正在安装系统'],
    [{ kind: 'reinstall', orderStatus: 'ACTIVE' }, true, '正在重装系统'],
    [{ installStatus: null, orderStatus: 'PAID', kind: null }, true, '正在安装系统'],
    [{ installStatus: 'COMPLETED', orderStatus: 'ACTIVE' }, false, '安装完成'],
    [{ installStatus: 'COMPLETED', orderStatus: 'ACTIVE', kind: 'reinstall', percentage: 0 }, false, '没有重装系统'],
    [{ installStatus: 'COMPLETED', orderStatus: 'ACTIVE', kind: 'reinstall', percentage: 100 }, false, '安装完成'],
    [{ installStatus: 'FAILED' }, true, '安装遇到问题，正在更换宿主机重试'],
    [{ installStatus: 'FAILED', orderStatus: 'PAID' }, true, '安装遇到问题，正在更换宿主机重试'],
    [{ installStatus: 'FAILED', orderStatus: 'ACTIVE', kind: 'reinstall' }, false, '安装失败'],
    [{ installStatus: 'FAILED', orderStatus: 'CANCELLED' }, false, '安装未完成'],
    [{ installStatus: 'INSTALLING', orderStatus: 'CANCELLED' }, false, '安装未完成'],
    [{ installStatus: null, orderStatus: 'CANCELLED' }, false, '安装未完成'],
    [{ installStatus: null, orderStatus: 'CANCELLED', wasActive: true, percentage: 100 }, false, '服务器已释放'],
    [{ installStatus: null, orderStatus: 'EXPIRED', wasActive: true, percentage: 100 }, false, '服务器已释放'],
  ])('as %j is open: %s, and is told as %s', (changes, open, said) => {
    expect([isOpen(progress(changes)), headline(progress(changes))]).toEqual([open, said])
  })

  test('tells in the tab at which step of how many it is, and that it has ended', () => {
    expect(tabTitle(progress())).toBe('安装中')
    expect(tabTitle(progress({ steps: steps('done', 'running', 'pending') }))).toBe('(2/3) 安装中')
    expect(tabTitle(progress({ steps: steps('done', 'done', 'done') }))).toBe('(3/3) 安装中')
    expect(tabTitle(progress({ steps: steps('done'), installStatus: 'COMPLETED' }))).toBe('安装完成')
  })

  test.each<[[number, number], string]>([
    [[24.6, 31.2], '25–31 秒'],
    [[30, 30.4], '30 秒'],
    [[60, 119.4], '60–119 秒'],
    [[100, 130], '2–3 分钟'],
    [[121, 290], '3–5 分钟'],
    [[120, 120], '2 分钟'],
    [[130, 170], '3 分钟'],
  ])('that usually takes %j seconds says so: %s', (seconds, said) => {
    expect(typicalText(seconds)).toBe(said)
  })
})

describe('the charts of a server', () => {
  const at = '2026-11-20T00:00:00.000Z'
  const point = { at, cpuUsage: 12, memoryUsage: null, diskUsage: 30, rxRate: 1500, txRate: 0 }

  test('have what was measured, with its gaps, and what is just now as far as that is known', () => {
    expect(usageChart([point], { cpuUsage: 50, memoryUsage: null }).lines).toEqual([
      { label: 'CPU', values: [12], now: 50 },
      { label: '内存', values: [null], now: null },
      { label: '磁盘', values: [30] },
    ])
    expect(trafficChart([point]).lines).toEqual([
      { label: '入站', values: [1500] },
      { label: '出站', values: [0] },
    ])
  })

  test('keep their place while nothing has come', () => {
    expect([usageChart([]), trafficChart([])].map(({ lines }) => lines.length)).toEqual([3, 2])
  })

  test.each([
    [0, '0 B/s'],
    [999.4, '999 B/s'],
    [1000, '1.0 KB/s'],
    [15_360, '15.4 KB/s'],
    [123_456, '123 KB/s'],
    [2_500_000, '2.5 MB/s'],
    [3e9, '3.0 GB/s'],
    [4e12, '4000 GB/s'],
  ])('tell traffic of %s bytes a second as %s', (bytes, said) => {
    expect(trafficChart([]).format(bytes)).toBe(said)
  })
})
