import { alertAdvice, alertAfterMinutes, alertName } from '@vps/shared/alerts'
import { findingSubject } from '@vps/shared/finding-facts'
import * as labels from '@vps/shared/labels'
import type { AlertMail, Told } from './enqueue-mail.js'
import type { Letter } from './letter.js'
import { beijing } from './order-story.js'

/** To an administrator: what lasts and what is over. */
export function alertLetter({ begun, ended, counts }: AlertMail, publicUrl: string): Letter {
  const [first] = begun.length > 0 ? begun : ended
  const isWorse = counts.begun > 0
  const word = isWorse ? '告警' : '告警解除'
  const count = isWorse ? counts.begun : counts.ended
  const title = isWorse ? `${count} 项情况需要处理` : `${count} 项告警已解除`
  const name = first ? [alertName(first), ...(first.host === null ? [] : [first.host])].join(' ') : title
  const advice = first && isWorse && count === 1 ? alertAdvice(first) : undefined
  return {
    subject: `${word}：${name}${count > 1 ? ` 等 ${count} 项` : ''}`,
    mark: { word, tone: isWorse ? 'error' : 'success' },
    title,
    lines: [
      ...(isWorse ? [`以下情况已持续 ${alertAfterMinutes} 分钟以上，可能影响客户，请尽快处理。`] : []),
      ...(counts.ended > 0 ? [`${isWorse ? '标有「已解除」的' : '以下'}情况已恢复，或已由管理员处理。`] : []),
      ...(advice === undefined ? [] : [advice]),
      '如不想收到此类邮件，可在「发现项」页面关闭。',
    ],
    facts: [
      ...begun.map((one): [string, string] => [
        alertName(one),
        `${whereOf(one)}，始于 ${beijing(new Date(one.since))}`,
      ]),
      ...rest(counts.begun - begun.length, '项'),
      ...ended.map((one): [string, string] => ['已解除', `${alertName(one)}：${whereOf(one)}`]),
      ...rest(counts.ended - ended.length, '项已解除'),
    ],
    link: linkTo([...begun, ...ended], publicUrl),
  }
}

/** The one host, where all is of its silence. */
function linkTo(told: readonly Told[], publicUrl: string): NonNullable<Letter['link']> {
  if (told.some(({ finding }) => finding !== null)) return { label: '查看发现项', url: `${publicUrl}/findings` }
  const [hostId, ...others] = new Set(told.map((one) => one.hostId))
  return { label: '查看宿主机', url: `${publicUrl}/hosts${hostId && others.length === 0 ? `/${hostId}` : ''}` }
}

const whereOf = ({ finding: kind, host, subject }: Told) =>
  [host ?? labels.wholeShop, ...(subject === null ? [] : [findingSubject({ kind, subject })])].join(' · ')

const rest = (count: number, what: string): [string, string][] => (count > 0 ? [['其余', `另有 ${count} ${what}`]] : [])
