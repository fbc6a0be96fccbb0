import { siteAtFirst } from '@vps/shared/site'
import { expect, test } from 'vitest'
import { questions } from './content'

const promised = [siteAtFirst.terms, ...questions.map(({ answer }) => answer)].flatMap((text) => text.split(/[。\n]/))

test('what is promised of refunds holds for who pays by the hour, too: they end with the first period', () => {
  const ofRefunds = promised.filter((sentence) => sentence.includes('申请退款'))
  expect(ofRefunds).toHaveLength(2)
  for (const sentence of ofRefunds) expect(sentence).toContain('首个计费周期内')
})

test('a mail before the end is promised for the periods that are reminded of', () => {
  expect(promised.filter((sentence) => sentence.includes('邮件提醒'))).toEqual(['按月及更长的周期到期之前会发邮件提醒'])
})
