import { expect, test } from 'vitest'
import { applyDiscountInput, parseSalesDocument, priceGroupInput } from './catalogue.contract.js'

const faultOf = (discountPercentage: number) =>
  applyDiscountInput.safeParse({ id: '01a21416-458c-7256-a7e3-43fdee579ab5', discountPercentage }).error?.issues[0]
    ?.message

test('a discount is a percentage with two decimals that leaves a discount when the database has rounded it', () => {
  expect([0.01, 0.1 + 0.2, 12.25, 100].map(faultOf)).toEqual([undefined, undefined, undefined, undefined])
  expect([0, -5, 100.01].map(faultOf)).toEqual(['折扣必须大于0', '折扣必须大于0', '折扣不能超过100'])
  expect([12.345, 0.004, 5e-324].map(faultOf)).toEqual(Array(3).fill('折扣最多保留两位小数'))
})

test('a fixed plan with one wrong value is refused, rather than shown as text with everything to be chosen', () => {
  const page = priceGroupInput.shape.salesPageHtml
  const plan = { cpu_cores: 2, memory: 4, disk_space: 40, network_speed: 100, ip_count: 1 }
  const faultOfPage = (html: string) => page.safeParse(html).error?.issues[0]?.message
  expect(faultOfPage(JSON.stringify(plan))).toBeUndefined()
  expect(parseSalesDocument(JSON.stringify(plan))).toMatchObject(plan)
  expect(faultOfPage(JSON.stringify({ ...plan, memory: 4096 }))).toBe('结构化配置的 memory 不正确')
  expect(faultOfPage(` ${JSON.stringify({ ...plan, ip_count: undefined })}`)).toBe('结构化配置的 ip_count 不正确')
  const systems = [{ name: 'Debian', versions: '12' }]
  expect(faultOfPage(JSON.stringify({ ...plan, operating_system: systems }))).toBe(
    '结构化配置的 operating_system 不正确',
  )
  for (const html of ['<p>{"cpu_cores": 2}</p>', '{ 特价 } <b>2 核</b>', '[1]', ''])
    expect(faultOfPage(html)).toBeUndefined()
})
