import { describe, expect, test } from 'vitest'
import { announcement, finding } from '../../testing/operators-things'
import { audienceText, stateOf } from './announcements/announcement-words'
import { subjectOf } from './findings/HostOf'
import { factsText } from './parts/facts-text'

describe('a notice', () => {
  const now = Date.parse('2026-11-20T00:00:00Z')
  const at = (startsAt: string, endsAt: string | null) => stateOf({ ...announcement, startsAt, endsAt }, now).word

  test('has not begun, is shown or has ended, to the second', () => {
    expect(at('2026-11-20T00:00:01Z', null)).toBe('未开始')
    expect(at('2026-11-20T00:00:00Z', null)).toBe('展示中')
    expect(at('2026-11-19T00:00:00Z', '2026-11-20T00:00:01Z')).toBe('展示中')
    expect(at('2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z')).toBe('已结束')
  })

  test('that was ended before it began has ended', () => {
    expect(at('2026-11-21T00:00:00Z', '2026-11-19T00:00:00Z')).toBe('已结束')
  })

  test('says whom it reaches', () => {
    expect(audienceText(announcement)).toBe('所有人')
    expect(audienceText({ ...announcement, groupName: '香港 CN2' })).toBe('分组 香港 CN2')
    expect(audienceText({ ...announcement, hostName: 'hk-1' })).toBe('宿主机 hk-1')
  })
})

describe('what a finding is of', () => {
  test('of a timer that was stopped is what it does, of others what they named', () => {
    expect(subjectOf(finding({ kind: 'brake', subject: 'grace over' }))).toBe('宽限期满的释放')
    expect(subjectOf(finding({ kind: 'brake', subject: 'a later version’s' }))).toBe('a later version’s')
    expect(subjectOf(finding({ subject: 'grace over' }))).toBe('grace over')
  })
})

describe('the facts of a record', () => {
  test('stand in one line, in the order they came, with the words that people know', () => {
    expect(factsText({ name: 'vm-1', power: 'on', bytes: 3 * 1024 ** 3 })).toBe('名称 vm-1，电源 开机，大小 3.00 GB')
    expect(factsText({ file: '/a/disk', isThere: false })).toBe('文件 /a/disk，文件在原处 否')
  })

  test('are told in words of the shop, moments in its time', () => {
    expect(factsText({ frequency: 'weekly', wholeAt: '2026-11-29T20:00:00.000Z' })).toBe(
      '备份计划 每周，上次完整备份 2026-11-30 04:00:00',
    )
    expect(factsText({ jobKind: 'reinstall', checkedAt: null })).toBe('任务 重装系统，上次检查 无')
  })

  test('that have no word are shown as they are written', () => {
    expect(factsText({ unheardOf: 'x', power: 'standby' })).toBe('unheardOf x，电源 standby')
  })

  test.each([
    ['nothing', null, '自动启动 无'],
    ['yes', true, '自动启动 是'],
    ['no', false, '自动启动 否'],
    ['several', ['a', 'b'], '自动启动 a b'],
    ['what has parts', { cpuCores: 2, memoryMb: 4096 }, '自动启动 CPU 核数 2、内存 MB 4096'],
    ['what was never said', undefined, '自动启动 '],
  ])('tell %s', (_what, autostart, shown) => {
    expect(factsText({ autostart })).toBe(shown)
  })

  test('are a dash where there are none', () => {
    expect(factsText({})).toBe('—')
  })
})
