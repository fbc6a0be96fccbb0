import { describe, expect, test } from 'vitest'
import { job, image } from '../../testing/operators-things'
import { inDays } from '../../testing/things'
import { chartsOf as loadCharts } from './hosts/load-charts'
import { bytesText } from '../../ui/bytes-text'
import { percentText, presenceText, shareOf } from './images/image-words'
import { byNeed } from './images/presence-order'
import { stepText, titleOf, tookText } from './jobs/job-texts'
import { chartsOf as latencyCharts, msText } from './overview/latency-charts'
import { secondsText, yuanText } from './overview/figure-texts'
import { differingOf, textOf, type Compared } from './parts/compared'
import { numberOf, numberText } from './parts/typed-number'
import { chosen } from './parts/choices'

describe('a job in a line', () => {
  const step = (name: string, status: 'pending' | 'running' | 'done' | 'failed') => ({
    name,
    label: name,
    status,
    startedAt: null,
    finishedAt: null,
  })

  test('says at which step of how many it is', () => {
    const steps = [step('准备', 'done'), step('复制镜像', 'running'), step('启动', 'pending')]
    expect(stepText(job({ steps }))).toBe('2/3 复制镜像')
  })

  test('says which step failed', () => {
    expect(stepText(job({ steps: [step('准备', 'done'), step('复制镜像', 'failed')] }))).toBe('2/2 复制镜像')
  })

  test('counts what is done between two steps, before the first and after the last', () => {
    expect(stepText(job({ steps: [step('a', 'done'), step('b', 'pending')] }))).toBe('1/2')
    expect(stepText(job({ steps: [step('a', 'pending')] }))).toBe('0/1')
    expect(stepText(job({ steps: [step('a', 'done')] }))).toBe('1/1')
    expect(stepText(job({ steps: [] }))).toBeNull()
  })

  test('tells how long it took, or has taken until now, and nothing before it began', () => {
    const startedAt = '2026-11-20T00:00:00.000Z'
    const now = Date.parse('2026-11-20T01:02:03.000Z')
    expect(tookText(job({ startedAt: null }), now)).toBeNull()
    expect(tookText(job({ startedAt }), now)).toBe('1:02:03')
    expect(tookText(job({ startedAt, finishedAt: '2026-11-20T00:00:07.900Z' }), now)).toBe('0:07')
  })

  test('is called by its act and its server; an act without a word keeps its name', () => {
    expect(titleOf(job({ kind: 'resetPassword', serverName: '香港-1' }))).toBe('重置密码 香港-1')
    expect(titleOf(job({ kind: 'install', serverName: '香港-1' }))).toBe('安装 香港-1')
  })
})

describe('a figure', () => {
  test.each([
    [0, '¥0'],
    [0.4, '¥0.40'],
    [1234.5, '¥1,234.50'],
    [1_000_000, '¥1,000,000'],
  ])('of %s yuan in a chart is %s, as the ledger has it', (yuan, said) => {
    expect(yuanText(yuan)).toBe(said)
  })

  test.each([
    [0.04, '0 秒'],
    [28.26, '28.3 秒'],
    [59.9, '59.9 秒'],
    [60, '1:00'],
    [3600, '1:00:00'],
  ])('of %s seconds is %s', (seconds, said) => {
    expect(secondsText(seconds)).toBe(said)
  })

  test.each([
    [null, '—'],
    [0, '0 ms'],
    [0.43, '0.4 ms'],
    [9.44, '9.4 ms'],
    [10.4, '10 ms'],
    [999, '999 ms'],
    [1000, '1.0 秒'],
    [2540, '2.5 秒'],
  ])('of %s milliseconds is %s', (ms, said) => {
    expect(msText(ms)).toBe(said)
  })

  test.each([
    [0, '0 MB'],
    [812 * 1024 ** 2, '812 MB'],
    [999.4 * 1024 ** 2, '999 MB'],
    [1000 * 1024 ** 2, '1.0 GB'],
    [2.44 * 1024 ** 3, '2.4 GB'],
  ])('of %s bytes is %s', (bytes, said) => {
    expect(bytesText(bytes)).toBe(said)
  })
})

describe('charts', () => {
  test('of a host have usage as percentages and its load beside its cores; a gap stays a gap', () => {
    const at = inDays(0)
    const { times, charts } = loadCharts([{ at, cpuUsage: 12, memoryUsage: null, diskUsage: 30, load1: 0.5 }], 16)
    expect(times).toEqual([at])
    expect(charts.map(({ title, percent }) => [title, percent ?? false])).toEqual([
      ['使用率', true],
      ['系统负载（16 核）', false],
    ])
    expect(charts.flatMap(({ lines }) => lines.map(({ label, values }) => [label, values[0]]))).toEqual([
      ['CPU', 12],
      ['内存', null],
      ['磁盘', 30],
      ['1 分钟平均', 0.5],
    ])
    const [usage, load] = charts
    expect([usage?.format(12.5), load?.format(0), load?.format(0.5), load?.format(12.3)]).toEqual([
      '13%',
      '0',
      '0.50',
      '12',
    ])
  })

  test('of latency have the median beside the slow ones, and how often was asked', () => {
    const { charts } = latencyCharts([{ at: inDays(0), requests: 1234, p50Ms: 3, p95Ms: null }])
    expect(charts.flatMap(({ lines }) => lines.map(({ label, values }) => [label, values[0]]))).toEqual([
      ['p50', 3],
      ['p95', null],
      ['请求', 1234],
    ])
    expect(charts[1]?.format(1234.4)).toBe('1,234')
  })

  test('have lines that differ in colour from chart to chart', () => {
    for (const charts of [loadCharts([], 1).charts, latencyCharts([]).charts]) {
      const colours = charts.flatMap(({ lines, firstColour = 0 }) => lines.map((_, i) => firstColour + i))
      expect(new Set(colours).size).toBe(colours.length)
    }
  })
})

describe('an image on a host', () => {
  const there = {
    hostId: 'h',
    hostName: 'hk-1',
    alive: true,
    lastSeenAt: null,
    bytes: 0,
    totalBytes: null,
    error: null,
  }

  test('tells how much of it has come in while it does, as far as its size is known', () => {
    const running = { ...there, status: 'running', bytes: 450, totalBytes: 1000 } as const
    expect(presenceText(running)).toBe('传输中 45%')
    expect(presenceText({ ...running, totalBytes: null })).toBe('传输中')
    expect(presenceText({ ...running, status: 'ready' })).toBe('已就绪')
  })

  test('is never whole before it is', () => {
    expect(percentText(0.999)).toBe('99%')
    expect(percentText(1)).toBe('100%')
    expect(shareOf({ bytes: 5, totalBytes: 0 })).toBeNull()
  })

  test('what failed comes first, then what is under way, what is missing and what is well', () => {
    const statuses = ['ready', 'none', 'waiting', 'checking', 'running', 'no-uefi', 'unbootable', 'failed'] as const
    const hosts = statuses.map((status) => ({ ...there, status }))
    expect(byNeed(hosts).map(({ status }) => status)).toEqual(statuses.toReversed())
    expect(
      hosts.map(({ status }) => status),
      'the list given is left as it was',
    ).toEqual([...statuses])
    expect(byNeed(image.hosts)).toEqual([])
  })
})

describe('what differs from another save', () => {
  interface Record {
    name: string
    note: string | null
    port: number
    on: boolean
    groups: string[]
  }
  const fields: Compared<Record>[] = [
    { name: 'name', label: '名称' },
    { name: 'note', label: '说明' },
    { name: 'port', label: '端口', show: (port) => `${port} 号` },
    { name: 'on', label: '启用' },
    { name: 'groups', label: '分组' },
  ]
  const mine: Record = { name: 'a', note: null, port: 22, on: true, groups: ['x'] }
  const names = (theirs: Partial<Record>) => differingOf(fields, mine, { ...mine, ...theirs }).map(({ name }) => name)

  test('is nothing where both are the same', () => {
    expect(names({})).toEqual([])
  })

  test('is each field in which they differ, in the order of the form', () => {
    expect(names({ on: false, name: 'b', groups: ['x', 'y'] })).toEqual(['name', 'on', 'groups'])
  })

  test('is not that one has nothing where the other has a blank', () => {
    expect(names({ note: '' })).toEqual([])
  })

  test('is not the order in which the same was ticked', () => {
    const both = { ...mine, groups: ['x', 'y'] }
    expect(differingOf(fields, both, { ...both, groups: ['y', 'x'] })).toEqual([])
  })

  test('is read in the words of the form', () => {
    const read = (theirs: Partial<Record>) => fields.map((field) => textOf(field, { ...mine, ...theirs }))
    expect(read({ on: false })).toEqual(['a', '空', '22 号', '否', '["x"]'])
  })
})

describe('a number that is typed', () => {
  test.each([
    ['12', 12],
    [' 12.50 ', 12.5],
    ['-3', -3],
    ['12a', '12a'],
    ['1,00', '1,00'],
    ['¥1,234.50', 1234.5],
    ['-¥1,234.50', -1234.5],
    ['+￥30.00', 30],
    ['12,345,678 元', 12_345_678],
    ['１２．５', 12.5],
    ['－３', -3],
    ['1,2345', '1,2345'],
    ['¥', '¥'],
  ])('as "%s" stands in the form as %j', (typed, value) => {
    expect(numberOf(typed, false)).toBe(value)
  })

  test('and emptied again is missing, or nothing where it may be', () => {
    expect(numberOf('  ', false)).toBeNaN()
    expect(numberOf('', true)).toBeNull()
  })

  test.each([
    [12.5, '12.5'],
    [0, '0'],
    [Number.NaN, ''],
    [null, ''],
    [undefined, ''],
    ['12a', '12a'],
  ])('and is %j in the form is shown as "%s"', (value, shown) => {
    expect(numberText(value)).toBe(shown)
  })
})

test('a filter in the address is one that exists, or none', () => {
  expect(chosen(['QUEUED', 'RUNNING'], 'RUNNING')).toBe('RUNNING')
  expect(chosen(['QUEUED', 'RUNNING'], 'queued')).toBeUndefined()
  expect(chosen(['QUEUED', 'RUNNING'], '')).toBeUndefined()
})
