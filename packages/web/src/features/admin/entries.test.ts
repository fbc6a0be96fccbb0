import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostStatuses } from '@vps/shared/hosts'
import { orderStatuses, type OrderStatus } from '@vps/shared/orders'
import * as text from '@vps/shared/text'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { anyOrder, finding, host, priceGroup, user } from '../../testing/operators-things'
import { id } from '../../testing/things'
import type { MenuEntry } from '../../ui/Menu'
import { actOf, adviceOf, commandOf, hostKinds } from './findings/finding-ways'
import { entriesOf as hostEntries } from './hosts/host-entries'
import { entriesOf as orderEntries } from './orders/order-entries'
import { discountTimes, entriesOf as priceGroupEntries } from './price-groups/price-group-entries'
import { entriesOf as userEntries } from './users/user-entries'

const chosen: unknown[] = []
const note = (thing: unknown) => void chosen.push(thing)
const press = (entries: MenuEntry[], id: string) => {
  chosen.length = 0
  entries.find((entry) => entry.id === id)?.onAction?.()
  return chosen[0]
}
const possible = (entries: MenuEntry[]) => entries.filter(({ reason }) => !reason).map(({ id }) => id)
const reasonOf = (entries: MenuEntry[], id: string) => entries.find((entry) => entry.id === id)?.reason

describe('with an order an administrator', () => {
  const acts = { open: note, move: note, renew: note }
  const entries = (changes: Parameters<typeof anyOrder>[0]) => orderEntries(anyOrder(changes), acts)
  const looking = ['open', 'jobs', 'audit']

  test.each<[OrderStatus, string[]]>([
    ['PENDING', ['cancel']],
    ['PAID', ['cancel']],
    ['PROCESSING', []],
    ['ACTIVE', ['renew', 'suspend']],
    ['SUSPENDED', ['renew', 'resume']],
    ['CANCELLED', []],
    ['EXPIRED', []],
  ])('that is %s may do %j', (status, may) => {
    expect(possible(entries({ status }))).toEqual([...looking, ...may])
  })

  test('knows of every state', () => {
    for (const status of orderStatuses) expect(entries({ status })).toHaveLength(7)
  })

  test('reads for which orders an act is that is not for this one', () => {
    const active = entries({ status: 'ACTIVE' })
    expect(reasonOf(active, 'cancel')).toBe('仅限待付款、已付款的订单')
    expect(reasonOf(active, 'resume')).toBe('仅限暂停的订单')
    expect(reasonOf(entries({ status: 'EXPIRED' }), 'renew')).toBe('仅限活跃、暂停的订单')
  })

  test('renews none on a lost host, where it would be refused', () => {
    const { server } = anyOrder({})
    expect(reasonOf(entries({ server: server && { ...server, hostLost: true } }), 'renew')).toBe(text.hostBroke)
  })

  test('moves it where the act says', () => {
    const order = anyOrder({ status: 'ACTIVE' })
    expect(press(orderEntries(order, acts), 'suspend')).toEqual({ order, to: 'SUSPENDED' })
    expect(press(orderEntries(order, acts), 'renew')).toBe(order)
    expect(press(entries({ status: 'PENDING' }), 'cancel')).toMatchObject({ to: 'CANCELLED' })
    expect(press(entries({ status: 'SUSPENDED' }), 'resume')).toMatchObject({ to: 'ACTIVE' })
  })

  test('is led to its jobs and its entries; without a server there are no jobs', () => {
    const leads = (serverId: string | null) =>
      entries({ serverId }).flatMap(({ id, href }) => (href === undefined ? [] : [[id, href]]))
    expect(leads(id(12))).toEqual([
      ['jobs', `/jobs?server=${id(12)}`],
      ['audit', `/audit?subject=${anyOrder().id}`],
    ])
    expect(leads(null)).toEqual([['audit', `/audit?subject=${anyOrder().id}`]])
    expect(reasonOf(entries({ serverId: null }), 'jobs')).toBe('还没有服务器')
  })

  test('sees in red what takes something away', () => {
    expect(entries({}).flatMap(({ id, danger }) => (danger ? [id] : []))).toEqual(['suspend', 'cancel'])
  })
})

describe('with a host', () => {
  const acts = { edit: note, move: note, enrol: note, revoke: note }
  const entries = (status: (typeof hostStatuses)[number]) => hostEntries({ ...host, status }, acts)

  test.each(hostStatuses)('that is %s no move leads to where it is', (status) => {
    expect(entries(status).map(({ id }) => id)).not.toContain(status)
    expect(entries(status).map(({ id }) => id)).not.toContain('ENROLLING')
  })

  test('that is retired nothing can be done any more but looking', () => {
    expect(possible(entries('RETIRED'))).toEqual(['load', 'jobs'])
    expect(reasonOf(entries('RETIRED'), 'enrol')).toBe(text.hostRetired)
    expect(reasonOf(entries('RETIRED'), 'revoke')).toBe(text.hostRetired)
    expect(reasonOf(entries('RETIRED'), 'READY')).toBe('已退役的宿主机不能恢复可用')
  })

  test('that is ready it can be emptied, looked after and given up, and is not retired before it is empty', () => {
    expect(possible(entries('READY'))).toEqual(['load', 'jobs', 'enrol', 'revoke', 'DRAINING', 'MAINTENANCE', 'LOST'])
    expect(reasonOf(entries('READY'), 'RETIRED')).toBe('可用的宿主机不能退役')
    expect(press(entries('READY'), 'DRAINING')).toMatchObject({ to: 'DRAINING', host: { id: host.id } })
  })

  test('what cannot be taken back is in red, and nothing else of its states', () => {
    const danger = entries('READY').flatMap(({ id, danger }) => (danger ? [id] : []))
    expect(danger).toEqual(['revoke', 'LOST', 'RETIRED'])
  })
})

describe('with an account', () => {
  const acts = { adjust: note, status: note, role: note, secondFactor: note }

  test('of somebody else an administrator changes role and state', () => {
    expect(possible(userEntries(user, acts, false))).toEqual(['wallet', 'audit', 'adjust', 'role', 'status'])
    expect(press(userEntries(user, acts, false), 'role')).toBe(user)
  })

  test('whose owner lost the authenticator an administrator turns the second factor off, where there is one', () => {
    const on = userEntries({ ...user, secondFactor: true }, acts, false)
    expect(possible(on)).toEqual(['wallet', 'audit', 'adjust', 'role', 'second-factor', 'status'])
    expect(press(on, 'second-factor')).toEqual({ ...user, secondFactor: true })
  })

  test('of their own they take away no rights, and read why', () => {
    const own = userEntries(user, acts, true)
    expect(possible(own)).toEqual(['wallet', 'audit', 'adjust'])
    expect([reasonOf(own, 'role'), reasonOf(own, 'status')]).toEqual([text.noOwnRole, text.noSelfSuspend])
  })

  test('the words say what would become of it', () => {
    const words = (changes: Partial<typeof user>) =>
      userEntries({ ...user, ...changes }, acts, false).flatMap(({ id, label, danger }) =>
        id === 'role' || id === 'status' ? [[label, danger ?? false]] : [],
      )
    expect(words({})).toEqual([
      ['设为管理员', false],
      ['停用账户', true],
    ])
    expect(words({ isAdmin: true, status: 'suspended' })).toEqual([
      ['取消管理员', false],
      ['启用账户', false],
    ])
  })
})

describe('with a price group', () => {
  const acts = { edit: note, remove: note, preview: note, discount: note, restore: note }

  test('prices can be restored only where they are discounted', () => {
    const [plain, discounted] = [priceGroup(), priceGroup({ hasDiscount: true, discountPercentage: 15 })]
    expect(reasonOf(priceGroupEntries(plain, acts), 'restore')).toBe('没有折扣')
    expect(reasonOf(priceGroupEntries(discounted, acts), 'restore')).toBeNull()
    expect(priceGroupEntries(plain, acts)[0]?.label).toBe('应用折扣')
    expect(priceGroupEntries(discounted, acts)[0]?.label).toBe('修改折扣')
    expect(press(priceGroupEntries(discounted, acts), 'remove')).toBe(discounted)
  })

  test('it leads to what customers see of it now, and says why they see nothing', () => {
    const shop = (group: ReturnType<typeof priceGroup>) =>
      priceGroupEntries(group, acts).find(({ id }) => id === 'shop')
    const { id, serverGroupId } = priceGroup()
    expect(shop(priceGroup())).toMatchObject({ reason: null, href: `/sales?group=${serverGroupId}&plan=${id}` })
    expect(shop(priceGroup({ isActive: false }))?.reason).toBe('停用的价格组不出售')
  })

  test.each([
    [null, null, '省 15%，立即生效，长期有效'],
    ['2026-11-30T16:00:00.000Z', null, '省 15%，2026-12-01 起，长期有效'],
    [null, '2026-12-31T15:59:59.999Z', '省 15%，立即生效，至 2026-12-31'],
  ])('its discount says from when until when, as days in Shanghai: %s to %s', (from, until, said) => {
    const discounted = priceGroup({ discountPercentage: 15, discountStartTime: from, discountEndTime: until })
    expect(discountTimes(discounted)).toBe(said)
  })
})

describe('a finding', () => {
  test.each([
    ['missing-domain', 'redefine'],
    ['changed-domain', 'redefine'],
    ['transient-domain', 'redefine'],
    ['hung-domain', 'forceOff'],
    ['changed-disk', null],
    ['libvirt-away', null],
  ] as const)('of the kind %s is ended by %s', (kind, act) => {
    expect(actOf(finding({ kind }))).toBe(act)
  })

  test('of what we left behind is ended by cleaning, whatever its kind', () => {
    expect(actOf(finding({ kind: 'stray-domain', cleanable: true }))).toBe('clean')
    expect(actOf(finding({ kind: 'hung-domain', cleanable: true, serverId: null }))).toBe('clean')
  })

  test('of no server, or of one without an order, cannot be ended from here', () => {
    expect(actOf(finding({ serverId: null }))).toBeNull()
    expect(actOf(finding({ orderId: null }))).toBeNull()
  })

  test('of what is not ours gives the command to type, and none for what is cleaned from here', () => {
    const stray = { kind: 'stray-domain', subject: 'vm-7', serverId: null } as const
    expect(commandOf(finding(stray))).toBe(
      'virsh destroy vm-7; virsh undefine vm-7 --nvram --remove-all-storage --snapshots-metadata',
    )
    expect(commandOf(finding({ kind: 'stray-domain', cleanable: true }))).toBeNull()
    expect(commandOf(finding({ kind: 'missing-domain' }))).toBeNull()
  })

  test('of a living server whose machine was enrolled twice says whose it is, and gives nothing that ends it', () => {
    const living = finding({ kind: 'stray-domain' })
    expect([actOf(living), commandOf(living)]).toEqual([null, null])
    expect(adviceOf(living)).toContain('请为原宿主机重新生成接入命令')
    expect(adviceOf(finding({ kind: 'stray-domain', cleanable: true }))).toContain('确认无用后')
    expect(adviceOf(finding({ kind: 'stray-domain', perhapsLast: true }))).toContain('不要删除')
  })

  test('of a machine that this shop made and the database does not know says that somebody may use it, and gives nothing that ends it', () => {
    const stray = { kind: 'stray-domain', serverId: null, subject: 'a-uuid' } as const
    const sold = finding({ ...stray, details: { name: 'vps-a-uuid', power: 'on' } })
    expect(adviceOf(sold)).toContain('备份之后售出')
    expect(commandOf(sold)).toBeNull()
    expect(adviceOf(finding({ ...stray, details: { name: 'other', power: 'on' } }))).toContain('确认无用后')
    expect(adviceOf(finding({ kind: 'missing-domain' }))).toContain('在另一台宿主机上')
  })

  describe('of a file gives a command that', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strays-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    const lvremove = (exit: number) =>
      writeFileSync(join(folder, 'lvremove'), `#!/bin/sh\necho "$@" >> removed\nexit ${exit}\n`, { mode: 0o755 })
    const typed = (subject: string) =>
      spawnSync('bash', ['-c', commandOf(finding({ kind: 'stray-volume', subject, serverId: null })) ?? ''], {
        cwd: folder,
        env: { STORAGE: join(folder, 'machines'), PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      })
    const there = () => readdirSync(join(folder, 'machines')).toSorted()
    const removed = () => readFileSync(join(folder, 'removed'), 'utf8')
    beforeEach(() => {
      rmSync(join(folder, 'machines'), { recursive: true, force: true })
      mkdirSync(join(folder, 'machines'))
      writeFileSync(join(folder, 'machines', 'kept'), '')
      writeFileSync(join(folder, 'removed'), '')
      lvremove(0)
    })

    test.each(['old.qcow2', 'two words.img', '$(touch removed-too).img', `it's.img`, '-rf'])(
      'takes away the one called %s alone where the agent keeps it',
      (subject) => {
        writeFileSync(join(folder, 'machines', subject), '')
        expect(typed(subject).status).toBe(0)
        expect([there(), removed()]).toEqual([['kept'], ''])
        expect(readdirSync(folder)).not.toContain('removed-too')
      },
    )

    test('takes the logical volume away that it links to, which else nothing leads to any more', () => {
      symlinkSync('/dev/vps/of-a-stray', join(folder, 'machines', 'old.qcow2'))
      lvremove(5)
      typed('old.qcow2')
      expect([there(), removed()]).toEqual([['kept', 'old.qcow2'], '/dev/vps/of-a-stray\n'])
      lvremove(0)
      expect(typed('old.qcow2').status).toBe(0)
      expect(there()).toEqual(['kept'])
    })
  })

  test('that is mended on the host has no act of its own here', () => {
    for (const kind of [
      'second-agent',
      'outdated-agent',
      'newer-agent',
      'shrunk-host',
      'many-differences',
      'libvirt-away',
      'network-away',
      'state-away',
      'storage-away',
      'no-address-guard',
      'no-bandwidth-limit',
      'no-port-forwarding',
      'no-bridge',
      'no-kvm',
      'lost-servers',
      'failed-migration',
    ] as const) {
      expect(hostKinds.has(kind), kind).toBe(true)
      expect(actOf(finding({ kind })), kind).toBeNull()
    }
  })
})
