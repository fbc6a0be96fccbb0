import { useForm } from 'react-hook-form'
import { describe, expect, test } from 'vitest'
import { attributesOf, markupOf, readOf } from '../../testing/markup'
import type { Option } from '../../ui/Select'
import { group, host, image, priceGroup } from '../../testing/operators-things'
import { inDays } from '../../testing/things'
import { Changes } from './audit/Changes'
import { AgentTag } from './parts/AgentTag'
import { ActiveChip, placeText } from './parts/cells'
import { Command } from './parts/Command'
import { FormChecks } from './parts/FormChecks'
import { FilterTag } from './parts/FilterTag'
import { Meter, Used } from './parts/Meter'
import { hostColumns } from './hosts/host-columns'
import { FigureRow } from './overview/FigureRow'
import { Presence } from './images/Presence'
import { DiscountedPrices } from './price-groups/DiscountedPrices'

const nothing = () => undefined

describe('a meter', () => {
  const share = (value: number) => attributesOf(<Meter label="CPU" share={value} />, 'role')

  test('is a share of a hundred, and never more or less', () => {
    expect(share(0.414)).toMatchObject({ 'aria-label': 'CPU', 'aria-valuenow': '41' })
    expect([share(1.7)['aria-valuenow'], share(-0.2)['aria-valuenow']]).toEqual(['100', '0'])
  })

  test('turns with the thresholds of usage, unless it has a colour of its own', () => {
    const colour = (value: number, tone?: 'primary') =>
      /var\(--(\w+)-brand\)/.exec(markupOf(<Meter label="x" share={value} {...(tone ? { tone } : {})} />))?.[1]
    expect([colour(0.2), colour(0.7), colour(0.95), colour(0.95, 'primary')]).toEqual([
      'success',
      'warning',
      'error',
      'primary',
    ])
  })

  test('of what is used has its figures under it; of nothing at all it is empty', () => {
    expect(readOf(<Used label="内存" used={12.25} total={64} unit="GB" digits={1} />)).toBe('12.3 / 64 GB')
    expect(readOf(<Used label="磁盘" used={320} total={1000} unit="GB" />)).toBe('320 / 1,000 GB')
    expect(attributesOf(<Used label="磁盘" used={0} total={0} unit="GB" />, 'role')['aria-valuenow']).toBe('0')
  })
})

describe('the things to choose from', () => {
  const Checks = ({ chosen, options }: { chosen: string[]; options: Option[] }) => {
    const { control } = useForm({ defaultValues: { pools: chosen } })
    const read = { data: options, isError: false }
    return <FormChecks control={control} name="pools" legend="IP 池" read={read} empty="还没有" />
  }
  const first = { value: 'a', text: '公网' }

  test('are those that there are', () => {
    expect(readOf(<Checks chosen={['a']} options={[first]} />)).toBe('IP 池公网')
    expect(readOf(<Checks chosen={[]} options={[]} />)).toBe('IP 池还没有')
  })

  test('show a chosen one that is no more, so that it can be taken away: with it nothing is saved', () => {
    expect(readOf(<Checks chosen={['a', 'gone']} options={[first]} />)).toBe('IP 池公网该项已被删除')
    expect(markupOf(<Checks chosen={['gone']} options={[]} />)).toContain('checked')
  })
})

describe('what an act changed', () => {
  const changes = (details: Record<string, unknown>) => readOf(<Changes details={details} />)

  test('is told field by field, with money as money and nothing as nothing', () => {
    const before = { name: '香港', monthly_fen: 7900, is_active: true, description: null }
    const after = { name: '香港 CN2', monthly_fen: 8800, is_active: false, description: '' }
    expect(changes({ before, after })).toBe('字段之前之后名称香港香港 CN2月付价格¥79.00¥88.00启用是否描述空空')
  })

  test('of a record that is new or gone has only the one side', () => {
    expect(changes({ after: { name: 'a' } })).toBe('字段之前之后名称—a')
    expect(changes({ before: { name: 'a' } })).toBe('字段之前之后名称a—')
  })

  test('has the other facts beside it, without those that are nothing', () => {
    expect(changes({ reason: '滥用', note: null, sessions: 3 })).toBe('原因滥用sessions3')
  })

  test('has moments on the shop’s clock, words for what the program calls by its own, and lists as lists', () => {
    expect(changes({ expiresAt: '2026-11-26T16:00:05.000Z', period: 'MONTHLY' })).toBe(
      '到期时间2026-11-27 00:00:05计费周期按月',
    )
    expect(changes({ spec: { cpuCores: 4, memoryGb: 8 } })).toBe('配置CPU 4，内存 GB 8')
    expect(changes({ after: { dns: ['1.1.1.1', '9.9.9.9'], poolIds: [] } })).toBe(
      '字段之前之后DNS—1.1.1.1、9.9.9.9IP 池—空',
    )
  })

  test('that nobody has a word for is shown as it is written', () => {
    expect(changes({ after: { unheard_of: { a: 1 } } })).toBe('字段之前之后unheard_of—{"a":1}')
  })

  test('is nothing where nothing was written down, or not as a record', () => {
    expect([changes({}), changes({ before: 'x', after: 7 })]).toEqual(['', ''])
  })
})

describe('a host in the list', () => {
  const cells = (changes: Partial<typeof host>) => {
    const columns = hostColumns({ edit: nothing, move: nothing, enrol: nothing, revoke: nothing })
    return Object.fromEntries(
      columns
        .filter(({ key }) => key !== 'actions')
        .map(({ key, cell }) => [key, readOf(cell({ ...host, ...changes }))]),
    )
  }

  test('tells what it is, what is sold of it and how busy it is', () => {
    expect(cells({})).toMatchObject({
      name: 'hk-1QEMU 10.0.2',
      status: '可用',
      cpu: '8 / 64 核',
      memory: '16 / 62 GB',
      disk: '320 / 1,000 GB',
      load: '查看 hk-1 的负载CPU 12%内存 31%磁盘 28%',
      servers: '4',
      addresses: '4 个已用200 个可用',
      findings: '0',
    })
  })

  test('that was never connected claims nothing', () => {
    const fresh = {
      hypervisor: null,
      hypervisorVersion: null,
      agentVersion: null,
      lastSeenAt: null,
      alive: false,
    } as const
    const unmeasured = { cpuUsage: null, memoryUsage: null, diskUsage: null }
    expect(cells({ ...fresh, ...unmeasured, status: 'ENROLLING' })).toMatchObject({
      name: 'hk-1尚未接入',
      status: '待接入',
      agent: '未连接 ',
      load: '—',
    })
    expect(cells({ ...unmeasured, cpuUsage: 7.6 })['load']).toBe('查看 hk-1 的负载CPU 8%内存 —磁盘 —')
  })

  test('that keeps back more memory than it has has none to sell', () => {
    expect(cells({ memoryMb: 1024, reservedMemoryMb: 2048, usedMemoryMb: 0 })['memory']).toBe('0 / 0 GB')
  })

  test('says what ails it and how many places are being given back', () => {
    const trouble = {
      level: 'degraded',
      kinds: ['hung-domain', 'paused-domain'],
      since: '2026-11-20T00:00:00.000Z',
    } as const
    const ill = cells({ trouble: { ...trouble, kinds: [...trouble.kinds] }, releasing: 2, findings: 3 })
    expect(ill['status']).toBe('可用降级没有响应的虚拟机、被暂停的虚拟机，自 2026-11-20 08:00:00')
    expect([ill['servers'], ill['findings']]).toEqual(['42 台释放中', '3'])
  })

  test('is heard, is not heard any more, or never was', () => {
    const said = (alive: boolean, lastSeenAt: string | null) => readOf(<AgentTag host={{ alive, lastSeenAt }} />)
    expect([said(true, inDays(0)), said(false, inDays(-1)), said(false, null)]).toEqual(['在线', '失联', '未连接'])
  })
})

describe('an image in the list', () => {
  const on = (...statuses: (typeof image.hosts)[number]['status'][]) =>
    statuses.map((status, i) => ({
      hostId: `h${i}`,
      hostName: `hk-${i}`,
      alive: true,
      lastSeenAt: inDays(0),
      status,
      bytes: 450,
      totalBytes: 1000,
      error: null,
    }))
  const said = (changes: Partial<typeof image>) =>
    readOf(<Presence image={{ ...image, ...changes }} onOpen={nothing} />)

  test('counts the hosts that have it, and shows those where something is going on', () => {
    expect(said({ hosts: [] })).toBe('尚无宿主机')
    expect(said({ hosts: on('ready', 'ready', 'none') })).toBe('2 / 3 台已就绪')
    expect(said({ hosts: on('ready', 'running', 'failed') })).toBe('1 / 3 台已就绪hk-2失败hk-145%')
  })

  test('shows two of them, the worst first, and counts the rest', () => {
    expect(said({ hosts: on('checking', 'running', 'unbootable', 'failed') })).toBe(
      '0 / 4 台已就绪hk-3失败hk-2无法启动另有 2 台',
    )
  })

  test('that no host has says whether one will fetch it', () => {
    const nowhere = { hosts: on('none', 'waiting') }
    expect(said(nowhere)).toBe('0 / 2 台已就绪没有宿主机拥有此文件')
    expect(said({ ...nowhere, url: 'https://mirror.example.com/a.img' })).toBe('0 / 2 台已就绪等待宿主机下载')
    expect(said({ ...nowhere, url: 'https://mirror.example.com/a.img', isActive: false })).toContain(
      '没有宿主机拥有此文件',
    )
  })
})

describe('prices with a discount', () => {
  const said = (percentage: number | null, prices: Partial<ReturnType<typeof priceGroup>> = {}) =>
    readOf(<DiscountedPrices prices={{ ...priceGroup(), ...prices }} percentage={percentage} />)

  test('stand beside what they are without, rounded half up to the fen', () => {
    expect(said(15, { monthlyPrice: 79 })).toContain('每月¥67.15¥79.00')
    expect(said(50, { hourlyPrice: 0.01 })).toContain('每小时¥0.01¥0.01')
  })

  test('are those alone that are whole', () => {
    const half = said(20, {
      hourlyPrice: Number.NaN,
      dailyPrice: 0,
      monthlyPrice: 50,
      quarterlyPrice: 1.005,
      annualPrice: 1e12,
    })
    expect(half).toMatch(/^每月¥40\.00¥50\.00每半年/)
  })

  test.each([null, 0, -5, 101, Number.NaN])('are not shown for a discount of %s', (percentage) => {
    expect(said(percentage)).toBe('')
  })

  test('of a hundred percent are nothing', () => {
    expect(said(100, { monthlyPrice: 79 })).toContain('每月¥0.00¥79.00')
  })
})

describe('a small part', () => {
  test('says whether something is sold, and where it is without what nobody filled in', () => {
    expect([readOf(<ActiveChip active />), readOf(<ActiveChip active={false} />)]).toEqual(['启用', '停用'])
    expect(placeText(group)).toBe('亚太 · 中国 · 香港')
    expect(placeText({ region: null, country: '', city: '香港' })).toBe('香港')
  })

  test('that holds a machine’s text can be reached and scrolled by keyboard, and has a name', () => {
    expect(attributesOf(<Command label="日志">x</Command>, 'role')).toMatchObject({
      tabindex: '0',
      'aria-label': '日志',
    })
  })

  test('that is a condition says what pressing it does', () => {
    const tag = <FilterTag label="用户 demo" onRemove={nothing} />
    expect(attributesOf(tag, 'aria-label')).toMatchObject({ type: 'button', 'aria-label': '移除条件 用户 demo' })
  })

  test('of figures has each with what it is', () => {
    expect(
      readOf(
        <FigureRow
          figures={[
            ['中位数', '3 ms'],
            ['请求', 0],
          ]}
        />,
      ),
    ).toBe('中位数3 ms请求0')
  })
})
