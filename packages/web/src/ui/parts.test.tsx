import { describe, expect, test } from 'vitest'
import type { OrderStatus } from '@vps/shared/orders'
import { attributesOf, markupOf, readOf } from '../testing/markup'
import { inDays, order, row } from '../testing/things'
import { Alert } from './Alert'
import { Button, ButtonLink, IconButton } from './Button'
import { amountColumn, createdColumn, expiresColumn, orderColumn, specColumn } from './columns'
import { factIf, Facts } from './Facts'
import { PasswordField, TextArea, TextField } from './Field'
import { FilterSelect } from './FilterSelect'
import { Money } from './Money'
import { Expiry, OrderChip, PaidBack, PowerChip, ServerChips, Spec } from './order'
import { Pager } from './Pager'
import { Qr } from './Qr'
import { Ring } from './Ring'
import { Segments } from './Segments'
import { options, Select } from './Select'
import { Slider } from './Slider'
import { sshCommand } from './ssh'
import { Failed, NothingFound } from './states'
import { Steps } from './Steps'
import { timeOf } from './step-time'
import { SummaryCards } from './SummaryCards'
import { Switch } from './Switch'
import { Tiles } from './Tiles'
import { Time } from './Time'

const nothing = () => undefined

describe('an amount', () => {
  test.each([
    [0, '¥0.00'],
    [0.1, '¥0.10'],
    [67.15, '¥67.15'],
    [1234.5, '¥1,234.50'],
    [100_000_000, '¥100,000,000.00'],
    [-12.5, '-¥12.50'],
  ])('of %s yuan is %s, always with its decimals', (yuan, said) => {
    expect(readOf(<Money yuan={yuan} />)).toBe(said)
  })

  test('of an entry has the sign that it is given, and no second one', () => {
    expect(readOf(<Money yuan={5} sign="+" />)).toBe('+¥5.00')
    expect(readOf(<Money yuan={-5} sign="-" />)).toBe('-¥5.00')
  })
})

describe('a moment', () => {
  test('is told in Shanghai, and in its own form for programs', () => {
    const time = <Time at="2026-12-31T16:00:00.000Z" />
    expect(readOf(time)).toBe('2027-01-01 00:00:00')
    expect(attributesOf(time, 'dateTime')).toMatchObject({ dateTime: '2026-12-31T16:00:00.000Z' })
  })

  test('that never was is a dash', () => {
    expect([readOf(<Time at={null} />), readOf(<Expiry at={null} />)]).toEqual(['—', '—'])
  })

  test('at which something ends tells how far it is', () => {
    expect(readOf(<Expiry at={inDays(-1)} />)).toMatch(/^\d{4}-\d\d-\d\d已过期$/)
    expect(readOf(<Expiry at={inDays(2.9)} />)).toMatch(/3天后到期$/)
    expect(readOf(<Expiry at={inDays(20)} />)).toMatch(/剩余20天$/)
  })
})

describe('an order', () => {
  test('says its state in the specification’s word', () => {
    expect(readOf(<OrderChip status="SUSPENDED" />)).toBe('暂停')
  })

  test('says beside it what its machine does, as far as that matters in its state', () => {
    const machine = { id: row().serverId!, status: 'ONLINE', power: 'on', driver: 'kvm', hostLost: false } as const
    const said = (changes: Parameters<typeof order>[0]) => readOf(<ServerChips order={order(changes)} />)
    expect(said({})).toBe('活跃在线')
    expect(said({ server: null })).toBe('活跃')
    expect(said({ server: { ...machine, installStatus: 'INSTALLING' } })).toBe('活跃安装中')
    expect(said({ server: { ...machine, installStatus: 'FAILED' } })).toBe('活跃安装失败')
    expect(said({ status: 'CANCELLED', server: { ...machine, installStatus: 'COMPLETED' } })).toBe('已取消')
    expect(said({ status: 'SUSPENDED', server: { ...machine, power: 'off', installStatus: 'COMPLETED' } })).toBe(
      '暂停离线',
    )
  })

  test('claims of a power that is unknown only when it was last told', () => {
    expect(readOf(<PowerChip power="unknown" />)).toBe('状态未知')
    expect(readOf(<PowerChip power="unknown" observedAt="2026-11-20T00:00:00.000Z" />)).toBe(
      '状态未知，最后上报 08:00:00',
    )
    expect(readOf(<PowerChip power="on" observedAt="2026-11-20T00:00:00.000Z" />)).toBe('在线')
  })

  test('that is cancelled says what comes back, and to whom', () => {
    expect(readOf(<PaidBack yuan={67.15} to="账户余额" />)).toBe('已支付的 ¥67.15 将全额退回账户余额。')
  })

  test('that was cancelled with its money given back has no time left, and one that runs has', () => {
    const read = (status: OrderStatus) => readOf(expiresColumn.cell({ expiresAt: inDays(20), status }))
    expect(read('ACTIVE')).toMatch(/剩余20天$/)
    expect(read('CANCELLED')).toBe('—')
  })

  test('is a line of a list in the same words everywhere', () => {
    const cells = [
      orderColumn(nothing).cell(row()),
      amountColumn.cell(row()),
      specColumn(() => '40 GB').cell(row()),
      expiresColumn.cell({ expiresAt: null, status: 'PENDING' }),
      createdColumn.cell({ createdAt: '2026-11-20T00:00:00.000Z' }),
    ]
    expect(cells.map(readOf)).toEqual([
      'V261027Z0V3WYDR8Q香港标准型-WYDR8Q',
      '¥67.15按月',
      '2 核 4 GB40 GB',
      '—',
      '2026-11-20 08:00:00',
    ])
    expect(readOf(<Spec order={row()} />)).toBe('2 核 4 GB · 40 GB · 100 Mbps')
  })
})

describe('the steps of a job', () => {
  const step = {
    name: 's',
    label: '复制镜像',
    status: 'running',
    startedAt: '2026-11-20T00:00:00.000Z',
    finishedAt: null,
  } as const
  const now = Date.parse('2026-11-20T00:01:15.000Z')

  test('have a clock while they run, and how long they took afterwards', () => {
    expect(timeOf(step, now)).toBe('1:15')
    expect(timeOf({ ...step, status: 'done', finishedAt: '2026-11-20T00:00:07.340Z' }, now)).toBe('7.3 秒')
    expect(timeOf({ ...step, status: 'done', finishedAt: '2026-11-20T00:00:42.000Z' }, now)).toBe('0:42')
  })

  test('have no time before they begin, nor where they were left', () => {
    expect(timeOf({ ...step, status: 'pending', startedAt: null }, now)).toBeNull()
    expect(timeOf({ ...step, status: 'failed' }, now)).toBeNull()
  })

  test('that ended before they began by another clock took no time', () => {
    expect(timeOf({ ...step, status: 'done', finishedAt: '2026-11-19T23:59:59.000Z' }, now)).toBe('0.0 秒')
  })

  test('are told in words where there is no time, and the one that runs is the current one', () => {
    const pending = { ...step, name: 't', label: '启动', status: 'pending', startedAt: null } as const
    const steps = <Steps steps={[step, pending]} now={now} />
    expect(readOf(steps)).toBe('复制镜像1:15启动等待')
    expect(markupOf(steps).match(/aria-current="step"/g)).toHaveLength(1)
    expect(markupOf(<Steps steps={[]} now={now} />)).toBe('')
  })

  test('say in words, too, which failed: its mark is only seen', () => {
    const failed = { ...step, status: 'failed', finishedAt: '2026-11-20T00:00:07.340Z' } as const
    expect(readOf(<Steps steps={[failed]} now={now} />)).toBe('复制镜像失败 7.3 秒')
  })
})

describe('a share', () => {
  test('as a ring is a meter with its figure in words', () => {
    const ring = <Ring label="CPU" percent={61.4} level="normal" />
    expect(attributesOf(ring, 'role')).toMatchObject({
      'aria-label': 'CPU',
      'aria-valuenow': '61',
      'aria-valuetext': '61%',
    })
  })

  test('that is unknown says so, rather than nothing of a hundred', () => {
    const ring = <Ring label="CPU" percent={null} />
    expect(attributesOf(ring, 'role')).toMatchObject({ 'aria-valuetext': '暂无数据' })
    expect(readOf(ring)).toBe('—CPU')
  })

  test('is never drawn past the whole circle', () => {
    const dashes = (percent: number) => attributesOf(<Ring label="x" percent={percent} />, 'stroke-dasharray')
    expect(dashes(180)['stroke-dasharray']).toBe(dashes(100)['stroke-dasharray'])
    expect(dashes(-20)['visibility']).toBe('hidden')
  })
})

describe('facts', () => {
  test('without a value are a dash; those that only some have are left out', () => {
    const facts = (
      <Facts facts={[['主机', null], ['端口', 22, 'mono'], ...factIf('', '说明', 'x'), ...factIf('y', '原因', 'y')]} />
    )
    expect(readOf(facts)).toBe('主机—端口22原因y')
    expect(markupOf(facts)).toContain('data-kind="mono"')
  })

  test('over a list tell what is awaited from what could not be read', () => {
    const cards = [
      { label: '总数', value: undefined },
      { label: '金额', value: 0 },
    ]
    expect(readOf(<SummaryCards cards={cards} />)).toBe('总数金额0')
    expect(readOf(<SummaryCards cards={cards} failed />)).toBe('总数—金额0')
  })
})

describe('a field', () => {
  test('is tied to its label, its help and what is wrong with it', () => {
    const field = <TextField label="名称" help="最多 100 个字符" error="此字段为必填项" value="" onChange={nothing} />
    const {
      id = '',
      'aria-describedby': described = '',
      'aria-invalid': invalid,
    } = attributesOf(field, 'aria-describedby')
    expect(invalid).toBe('true')
    expect(described.split(' ')).toEqual([`${id}-error`, `${id}-help`])
    for (const tied of [`for="${id}"`, `id="${id}-error"`, `id="${id}-help"`]) expect(markupOf(field)).toContain(tied)
  })

  test('that is right describes itself by its help alone, or by nothing', () => {
    expect(attributesOf(<TextField label="名称" help="帮助" />, 'aria-describedby')['aria-describedby']).toMatch(
      /-help$/,
    )
    expect(markupOf(<TextField label="名称" />)).not.toMatch(/aria-(invalid|describedby)/)
    expect(markupOf(<TextArea label="说明" />)).not.toMatch(/aria-(invalid|describedby)/)
  })

  test('of several lines says what is wrong with it as one line does', () => {
    const area = <TextArea label="原因" error="请填写原因" />
    expect(attributesOf(area, 'aria-describedby')).toMatchObject({ 'aria-invalid': 'true' })
    expect(readOf(area)).toBe('原因请填写原因')
  })

  test('for a password hides it and offers to show it', () => {
    const password = <PasswordField label="密码" />
    expect(attributesOf(password, 'spellCheck')).toMatchObject({ type: 'password' })
    expect(attributesOf(password, 'aria-label')).toMatchObject({ 'aria-label': '显示密码' })
  })
})

describe('a choice', () => {
  const kinds = options([
    ['a', '甲'],
    ['b', '乙'],
  ])

  test('that was not made says so, and cannot be made again', () => {
    const select = <Select label="类别" options={kinds} value={null} onChange={nothing} />
    expect(readOf(select)).toBe('类别请选择甲乙')
    expect(markupOf(select)).toMatch(/<option[^>]*disabled=""[^>]*>请选择/)
    expect(readOf(<Select label="类别" options={kinds} value="a" onChange={nothing} />)).toBe('类别甲乙')
  })

  test('over a list leaves nothing out where the address names what nobody knows', () => {
    const filter = (value: string) =>
      markupOf(
        <FilterSelect
          label="状态"
          all="全部"
          values={['PAID']}
          word={() => '已付款'}
          value={value}
          onChange={nothing}
        />,
      )
    expect(filter('PAID')).toMatch(/<option value="PAID" selected="">已付款/)
    expect(filter('paid')).toMatch(/<option value="" selected="">全部/)
  })

  test('in a row is one of a group that has a name', () => {
    const row = (
      <Segments
        label="时间范围"
        name="range"
        value="b"
        onChange={nothing}
        options={[
          ['a', '甲'],
          ['b', '乙'],
        ]}
      />
    )
    expect(attributesOf(row, 'role')).toMatchObject({ role: 'radiogroup', 'aria-label': '时间范围' })
    expect(markupOf(row).match(/checked=""/g)).toHaveLength(1)
  })

  test('as cards has the names that are heard, and those that cannot be chosen', () => {
    const tiles = [
      { value: 'a', label: '入门 1 核', content: '入门' },
      { value: 'b', label: '标准 2 核', content: '标准', disabled: true },
    ]
    const cards = markupOf(<Tiles legend="配置" name="preset" value="a" onChange={nothing} tiles={tiles} />)
    expect(cards).toMatch(/aria-label="入门 1 核"[^>]*checked=""/)
    expect(cards).toMatch(/disabled=""[^>]*aria-label="标准 2 核"|aria-label="标准 2 核"[^>]*disabled=""/)
  })

  test('on or off is a switch, whose name is heard where it is not seen', () => {
    expect(attributesOf(<Switch label="保护" checked onChange={nothing} />, 'role')).toMatchObject({
      'aria-checked': 'true',
    })
    const bare = <Switch label="自动续费 V1" bare checked={false} onChange={nothing} />
    expect(readOf(bare)).toBe('')
    expect(attributesOf(bare, 'role')).toMatchObject({ 'aria-label': '自动续费 V1', 'aria-checked': 'false' })
  })

  test('by a slider says its amount with its unit, and how far along it is', () => {
    const slider = <Slider label="内存" unit="GB" min={4} max={12} value={6} onChange={nothing} />
    expect(attributesOf(slider, 'type')).toMatchObject({
      'aria-valuetext': '6 GB',
      min: '4',
      max: '12',
      style: '--share:25%',
    })
  })
})

describe('a button', () => {
  test('that is busy keeps the focus: it is not disabled, says so and what it does', () => {
    const busy = markupOf(
      <Button busy busyLabel="保存中…">
        保存
      </Button>,
    )
    expect(busy).toMatch(/aria-busy="true"/)
    expect(busy).not.toMatch(/\sdisabled/)
    expect(
      readOf(
        <Button busy busyLabel="保存中…">
          保存
        </Button>,
      ),
    ).toBe('保存中…')
    expect(readOf(<Button busy>保存</Button>)).toBe('保存')
  })

  test('sends no form unless it is meant to', () => {
    expect(attributesOf(<Button>取消</Button>, 'type')['type']).toBe('button')
    expect(attributesOf(<Button type="submit">保存</Button>, 'type')['type']).toBe('submit')
  })

  test('of a picture alone has a name; one that leads somewhere is a link', () => {
    expect(attributesOf(<IconButton label="刷新" />, 'aria-label')).toMatchObject({
      'aria-label': '刷新',
      title: '刷新',
    })
    expect(attributesOf(<ButtonLink href="/sales">去选购</ButtonLink>, 'href')).toMatchObject({ href: '/sales' })
  })
})

describe('the pager', () => {
  const pager = (page: number, total: number, size = 10) => (
    <Pager total={total} page={page} size={size} onPage={nothing} onSize={nothing} />
  )
  const off = (part: ReturnType<typeof pager>) =>
    [...markupOf(part).matchAll(/<button[^>]*>/g)]
      .filter(([tag]) => tag.includes('aria-disabled="true"'))
      .map(([tag]) => /aria-label="([^"]*)"/.exec(tag)?.[1])

  test('counts from one, and leads no further than there is', () => {
    expect(readOf(pager(0, 25))).toMatch(/^共 25 条.*1 \/ 3$/)
    expect(off(pager(0, 25))).toEqual(['上一页'])
    expect(off(pager(1, 25))).toEqual([])
    expect(off(pager(2, 25))).toEqual(['下一页'])
    expect(off(pager(0, 10))).toEqual(['上一页', '下一页'])
    // A button of the last page that had the focus would lose it.
    expect(markupOf(pager(2, 25))).not.toMatch(/\sdisabled/)
  })

  test('of a page that is gone shows the last one', () => {
    expect(readOf(pager(9, 25))).toMatch(/3 \/ 3$/)
    expect(readOf(pager(0, 0))).toMatch(/1 \/ 1$/)
  })

  test('says where a long list was counted roughly', () => {
    expect(readOf(<Pager total={12_000} estimated page={0} size={50} onPage={nothing} onSize={nothing} />)).toMatch(
      /^共约 12000 条/,
    )
  })
})

describe('a word in place', () => {
  test('is heard at once where it is an error, and else when there is time', () => {
    const role = (tone: 'error' | 'success' | 'warning' | 'info') =>
      attributesOf(<Alert tone={tone}>x</Alert>, 'role')['role']
    expect([role('error'), role('success'), role('warning'), role('info')]).toEqual([
      'alert',
      'status',
      'status',
      'status',
    ])
  })

  test('can be closed only where somebody hears of it', () => {
    expect(markupOf(<Alert tone="error">x</Alert>)).not.toContain('关闭提示')
    expect(
      markupOf(
        <Alert tone="error" onClose={nothing}>
          x
        </Alert>,
      ),
    ).toContain('关闭提示')
  })

  test('of a failed read says what, why, and offers another try', () => {
    const failed = <Failed title="加载订单失败" error={new Error('boom')} onRetry={nothing} hint="请检查地址。" />
    expect(readOf(failed)).toBe('加载订单失败服务器错误，请稍后重试请检查地址。重试')
    expect(attributesOf(failed, 'role')['role']).toBe('alert')
  })

  test('of a list in which nothing fits offers to take the conditions away', () => {
    expect(readOf(<NothingFound what="订单" onClear={nothing} />)).toBe('没有符合条件的订单清除筛选')
  })
})

test('a code to scan is a picture with a name, dark on white, and differs for each text', () => {
  const code = (text: string) => markupOf(<Qr text={text} label="支付宝付款二维码" />)
  expect(attributesOf(<Qr text="a" label="支付宝付款二维码" />, 'role')).toMatchObject({
    role: 'img',
    'aria-label': '支付宝付款二维码',
  })
  expect(code('weixin://pay/1')).not.toBe(code('weixin://pay/2'))
  expect(code('x')).toMatch(/fill="#ffffff".*fill="#000000"/)
})

test('the way into a server is a command that can be pasted', () => {
  expect(sshCommand('root', '10.66.0.4', 2222)).toBe('ssh root@10.66.0.4 -p 2222')
})
