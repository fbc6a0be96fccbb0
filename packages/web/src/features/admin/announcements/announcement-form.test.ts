import { expect, it } from 'vitest'
import { empty, faultsOf, inputOf } from './announcement-form'

const now = new Date('2026-11-20T06:00:00Z')
const group = '0190a7c0-0000-7000-8000-000000000001'
const filled = { ...empty, title: '维护', body: '今晚维护。' }

it('sends what was filled in: now and without end where no time was given, else in the time of Shanghai', () => {
  expect(inputOf(filled)).toMatchObject({ groupId: null, hostId: null, startsAt: null, endsAt: null })
  const timed = { ...filled, startsAt: '2026-11-21T09:30', endsAt: '2026-11-21T10:00' }
  expect(inputOf(timed)).toMatchObject({
    startsAt: '2026-11-21T09:30:00+08:00',
    endsAt: '2026-11-21T10:00:00+08:00',
  })
})

it('reaches only the audience that is chosen, whatever was picked before', () => {
  const picked = { ...filled, groupId: group, hostId: group }
  expect(inputOf(picked)).toMatchObject({ groupId: null, hostId: null })
  expect(inputOf({ ...picked, audience: 'group' })).toMatchObject({ groupId: group, hostId: null })
  expect(inputOf({ ...picked, audience: 'host' })).toMatchObject({ groupId: null, hostId: group })
})

it('never takes a group or host that was not named for everybody', () => {
  expect(faultsOf({ ...filled, audience: 'group' }, now)).toEqual({ groupId: '此字段为必填项' })
  expect(faultsOf({ ...filled, audience: 'host' }, now)).toEqual({ hostId: '此字段为必填项' })
})

it('says what is missing and which times cannot be', () => {
  expect(faultsOf(empty, now)).toEqual({ title: '此字段为必填项', body: '此字段为必填项' })
  expect(faultsOf({ ...filled, endsAt: '2026-11-20T14:00' }, now)).toEqual({ endsAt: '结束时间必须晚于现在' })
  const turned = { ...filled, startsAt: '2026-11-22T09:00', endsAt: '2026-11-21T09:00' }
  expect(faultsOf(turned, now)).toEqual({ endsAt: '结束时间必须晚于开始时间' })
  expect(faultsOf(filled, now)).toEqual({})
})
