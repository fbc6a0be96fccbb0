import { beforeEach, expect, test } from 'vitest'
import { currentToasts, dismissToast, subscribeToToasts, toast } from './toast'

const messages = () => currentToasts().map(({ message }) => message)

beforeEach(() => {
  for (const { id } of currentToasts()) dismissToast(id)
})

test('a notification stands for four seconds and says no more than it must, unless it is told otherwise', () => {
  toast('已保存')
  toast('失败', 'error', { timeoutMs: 8_000, action: { label: '撤销', run: () => undefined } })
  expect(currentToasts()).toMatchObject([
    { message: '已保存', type: 'info', timeoutMs: 4_000 },
    { message: '失败', type: 'error', timeoutMs: 8_000, action: { label: '撤销' } },
  ])
  expect(currentToasts()[0]).not.toHaveProperty('action')
})

test('three are shown, the newest', () => {
  for (const message of ['一', '二', '三', '四']) toast(message)
  expect(messages()).toEqual(['二', '三', '四'])
})

test('the same words again stand once, as the newest', () => {
  toast('网络连接错误', 'error')
  toast('已保存', 'success')
  toast('网络连接错误', 'error')
  expect(messages()).toEqual(['已保存', '网络连接错误'])
})

test('one that is taken away leaves the others, and one that is gone already changes nothing', () => {
  toast('一')
  toast('二')
  const [first] = currentToasts()
  dismissToast(first?.id ?? 0)
  dismissToast(first?.id ?? 0)
  expect(messages()).toEqual(['二'])
})

test('whoever shows them hears of each change until they leave', () => {
  let heard = 0
  const leave = subscribeToToasts(() => heard++)
  toast('一')
  leave()
  toast('二')
  expect(heard).toBe(1)
})
