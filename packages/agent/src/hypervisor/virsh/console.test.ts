import { expect, test } from 'vitest'
import { withoutQuestions } from './console.js'

const escape = '\u001b'
const heard = (said: string) => withoutQuestions(Buffer.from(said)).toString()

test('what a serial line said before asks the terminal of who comes later nothing: its answers would be typed into the machine', () => {
  const questions = [
    '[6n',
    '[5n',
    '[?6n',
    '[c',
    '[0c',
    '[>c',
    '[?2026$p',
    '[4$p',
    'P$qm\u001b\\',
    ']11;?\u0007',
    ']4;1;?\u001b\\',
  ]
  for (const question of questions) expect([question, heard(`a${escape}${question}b`)]).toEqual([question, 'ab'])
})

test('all else is shown as it was said, whole letters and broken ones', () => {
  const said = `启动 ${escape}[1;32mOK${escape}[0m${escape}[2J${escape}]0;root@vps: ~?\u0007${escape}[!p${escape}[?25h login: ${escape}[`
  expect(heard(said)).toBe(said)
  const cut = Buffer.from('动').subarray(1)
  expect(withoutQuestions(cut)).toEqual(cut)
})

test('a log of nothing but beginnings is read as quickly as any', () => {
  const began = `${escape}]4;${'?'.repeat(64 * 1024)}`
  expect(heard(began).length).toBeLessThan(began.length)
})
