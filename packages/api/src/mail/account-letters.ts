import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { emailTakeBackHours, resetCodeMinutes, type SecondFactorEvent } from '@vps/shared/accounts'
import { shanghaiMinute } from '@vps/shared/time'
import type { Vault } from '../vault.js'
import type { AccountMail } from './enqueue-mail.js'
import type { Letter } from './letter.js'

const mark = { word: '账户安全', tone: 'primary' } as const

const notYou = '如果不是您本人操作，请立即通过“找回密码”重置密码。'

const secondFactorWords: Record<SecondFactorEvent, Pick<Letter, 'title' | 'lines'>> = {
  on: {
    title: '两步验证已开启',
    lines: ['您的账户已开启两步验证，登录时除密码外还需输入验证码。其他设备已退出登录。', notYou],
  },
  off: { title: text.secondFactorOff, lines: ['您的账户已关闭两步验证，此后只用密码即可登录。', notYou] },
  recovered: {
    title: '恢复码已使用',
    lines: ['您的账户刚刚使用了一个恢复码，该恢复码已失效。', notYou],
  },
  renewed: { title: '恢复码已重新生成', lines: ['您的账户已重新生成恢复码，原来的恢复码全部失效。', notYou] },
  cleared: {
    title: '两步验证已由管理员关闭',
    lines: ['您的账户的两步验证已由管理员关闭，此后只用密码即可登录。请登录后重新开启。', notYou],
  },
}

/** The words of a mail about an account. */
export function accountLetter(job: AccountMail, vault: Vault, publicUrl: string): Letter {
  switch (job.template) {
    case 'resetCode':
      return {
        mark,
        title: '重置密码验证码',
        lines: [
          `您正在重置账户密码，验证码 ${resetCodeMinutes} 分钟内有效，请勿告诉他人。`,
          '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
        ],
        code: vault.open(job.code),
      }
    case 'emailTakeBack':
      return {
        mark,
        title: '账户邮箱已更改',
        lines: [
          '您账户的邮箱已更改为另一个地址，此邮箱不再用于登录和找回密码。',
          `如果不是您本人操作，请在 ${within(job)}恢复此邮箱，所有设备将退出登录，原密码随之失效，然后请通过“找回密码”设置新密码。`,
        ],
        link: { label: verbs.takeBackEmail, url: linkTo('take-back', vault.open(job.token), publicUrl) },
      }
    case 'emailConfirm':
      return {
        mark,
        title: '请确认账户邮箱',
        lines: [
          `此邮箱已设为账户邮箱。确认之前，${within(job)}不能用它找回密码。`,
          '如果不是您本人操作，请忽略此邮件。',
        ],
        link: { label: verbs.confirmEmail, url: linkTo('confirm', vault.open(job.token), publicUrl) },
      }
    case 'passwordChanged':
      return {
        mark,
        title: '账户密码已修改',
        lines: ['您的账户密码已修改，其他设备已退出登录。', notYou],
      }
    case 'secondFactor':
      return { mark, ...secondFactorWords[job.event] }
  }
}

/** The mail may arrive late. */
const within = ({ until }: { until?: string }) =>
  until ? `${shanghaiMinute(new Date(until))}（北京时间）前` : `${emailTakeBackHours} 小时内`

const linkTo = (act: string, token: string, publicUrl: string) => `${publicUrl}/email-change?act=${act}&token=${token}`
