import { expect, it } from 'vitest'
import { empty, faultsOf, inputOf, serviceOptions, updateOf } from './incident-form'

const now = new Date('2026-11-20T06:00:00Z')
const filled = { ...empty, title: '网络中断', services: ['api', 'region:亚太'], body: '正在调查。' }
const incident = { id: '', title: '', services: [], startsAt: '2026-11-20T05:00:00.000Z', endsAt: null, updates: [] }

it('sends what was filled in: now where no time was given, else in the time of Shanghai', () => {
  expect(inputOf(filled)).toMatchObject({ services: ['api', 'region:亚太'], startsAt: null, endsAt: null })
  const timed = { ...filled, startsAt: '2026-11-20T13:00', endsAt: '2026-11-20T13:30', state: 'resolved' as const }
  expect(inputOf(timed)).toMatchObject({ startsAt: '2026-11-20T13:00:00+08:00', endsAt: '2026-11-20T13:30:00+08:00' })
})

it('sends an end only of what is over', () => {
  expect(updateOf({ ...filled, endsAt: '2026-11-20T13:30' })).toEqual({
    state: 'investigating',
    body: '正在调查。',
    endsAt: null,
  })
})

it('offers every component, and each region once', () => {
  const regions = [{ region: '亚太' }, { region: null }, { region: '亚太' }, { region: '' }]
  expect(serviceOptions(regions).map(({ text }) => text)).toEqual(['登录与 API', '商店', '支付', '装机', '亚太 服务器'])
})

it('says what is missing and which times cannot be', () => {
  expect(faultsOf(empty, null, now)).toEqual({
    title: '此字段为必填项',
    services: '请选择受影响的服务',
    body: '此字段为必填项',
  })
  expect(faultsOf(filled, null, now)).toEqual({})
  expect(faultsOf({ ...filled, startsAt: '2026-11-20T14:01' }, null, now)).toEqual({ startsAt: '开始时间不能晚于现在' })
  const early = { ...filled, state: 'resolved' as const, endsAt: '2026-11-20T12:59' }
  expect(faultsOf(early, incident, now)).toEqual({ endsAt: '恢复时间应在开始之后，且不晚于现在' })
  expect(faultsOf({ ...early, endsAt: '2026-11-20T13:01' }, incident, now)).toEqual({})
})
