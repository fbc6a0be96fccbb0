import { expect, test } from 'vitest'
import { upgradeAdvice } from './upgrade-words'

const order = { ipAddress: '10.66.0.4', backups: 0 }
const offer = { locked: false, mostBackups: 0, natPorts: null }
const once = '升级期间服务器会重启一次'

test.each([
  ['', {}, `请选择更高的配置。${once}，仅增加 IP 不需要重启。`],
  ['with backups', { mostBackups: 7 }, `请选择更高的配置。${once}，仅增加 IP 或备份不需要重启。`],
  ['behind a shared address', { natPorts: 20 }, `请选择更高的配置。${once}。`],
  ['both', { natPorts: 20, mostBackups: 7 }, `请选择更高的配置。${once}，仅增加备份不需要重启。`],
])('a plan of any size says what grows without a restart: %s', (_, changes, said) => {
  expect(upgradeAdvice(order, { ...offer, ...changes }, true)).toBe(said)
})

test('one that is sold as it stands says so, and what there is instead', () => {
  const fixed = (mostBackups: number, hasOthers: boolean) =>
    upgradeAdvice(order, { ...offer, locked: true, mostBackups }, hasOthers)
  expect(fixed(7, true)).toBe(`该套餐为固定配置，请选择其他套餐或增加备份。${once}，仅增加备份不需要重启。`)
  expect(fixed(0, true)).toBe(`该套餐为固定配置，请选择其他套餐。${once}。`)
  expect(fixed(7, false)).toBe('该套餐为固定配置，可以增加备份，不需要重启。')
  expect(fixed(0, false)).toBe('该套餐为固定配置，暂无可升级的套餐。')
})
