import { announcementInput } from '@vps/shared/announcements.contract'
import {
  addSshKeyInput,
  forgotPasswordInput,
  registerInput,
  resetPasswordInput,
  signInInput,
  updateProfileInput,
} from '@vps/shared/accounts.contract'
import { applyDiscountInput, categoryInput, groupInput, priceGroupInput } from '@vps/shared/catalogue.contract'
import { createHostInput } from '@vps/shared/hosts.contract'
import { imageInput } from '@vps/shared/images.contract'
import { poolInput } from '@vps/shared/pools.contract'
import { siteInput } from '@vps/shared/site.contract'
import { dedicatedServerInput } from '@vps/shared/servers.contract'
import * as text from '@vps/shared/text'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contractFaults } from './contract-faults'

const sized = z.object({
  name: z.string({ error: '名称不能为空' }).min(1, { error: '名称不能为空' }),
  cores: z.int({ error: '需为整数' }).max(8, { error: '最多 8 核' }),
  systems: z.array(z.object({ version: z.string().min(1, { error: '缺少版本' }) })).default([]),
})

describe('what a contract refuses of a form', () => {
  test('is nothing where it may be sent', () => {
    expect(contractFaults(sized, { name: 'a', cores: 1 })).toEqual({})
  })

  test('is told at each field, deep ones by their path', () => {
    const faults = contractFaults(sized, { name: '', cores: 9, systems: [{ version: '12' }, { version: '' }] })
    expect(faults).toEqual({ name: '名称不能为空', cores: '最多 8 核', 'systems.1.version': '缺少版本' })
  })

  test('is the first sentence of each field, whatever else is wrong with it', () => {
    const twice = z.object({ name: z.string().min(3, { error: '太短' }).regex(/^\d+$/, { error: '只能是数字' }) })
    expect(contractFaults(twice, { name: 'a' })).toEqual({ name: '太短' })
  })

  test('of a number that was left empty is that it is missing, where it is required', () => {
    const empty = { name: 'a', cores: Number.NaN }
    expect(contractFaults(sized, empty)).toEqual({ cores: '需为整数' })
    expect(contractFaults(sized, empty, ['cores'])).toEqual({ cores: text.required })
    expect(contractFaults(sized, { name: 'a', cores: 9 }, ['cores'])).toEqual({ cores: '最多 8 核' })
  })
})

const typed = ['', ' ', 'x', '中'.repeat(9), 'y'.repeat(70_000), Number.NaN, -1, 0, 0.001, 1.5, 1e12]
const forms: [name: string, contract: z.ZodObject][] = Object.entries({
  addSshKeyInput,
  announcementInput,
  applyDiscountInput,
  categoryInput,
  createHostInput,
  dedicatedServerInput,
  forgotPasswordInput,
  groupInput,
  imageInput,
  poolInput,
  priceGroupInput,
  registerInput,
  resetPasswordInput,
  signInInput,
  siteInput,
  updateProfileInput,
})

test.each(forms)('%s says in Chinese whatever it says of what was typed', (_name, contract) => {
  for (const value of typed) {
    const filled = Object.fromEntries(Object.keys(contract.shape).map((name) => [name, value]))
    for (const [field, sentence] of Object.entries(contractFaults(contract, filled)))
      expect(sentence, `${field} with ${String(value).slice(0, 20)}`).toMatch(/^[^a-z]*\p{Script=Han}/u)
  }
})

test.each([
  [dedicatedServerInput, 'cpuCores', [0, 1.5, 2000], '需为1-1024的整数'],
  [dedicatedServerInput, 'diskSpace', [-1, 1e9], '需为1-1000000的整数'],
  [imageInput, 'minDiskGb', [0, 2001], '需为1-2000的整数'],
  [imageInput, 'sortOrder', [1.5], '排序需为整数'],
  [imageInput, 'sortOrder', [-1], '排序不能小于0'],
  [categoryInput, 'sortOrder', [1e9], '排序不能大于1000000'],
] as const)('a whole number out of its limits is told its limits: %#', (contract, field, wrong, said) => {
  for (const value of wrong) expect(contractFaults(contract, { [field]: value })[field]).toBe(said)
})
