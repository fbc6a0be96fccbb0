import { storable } from '@vps/shared/storable'
import * as text from '@vps/shared/text'
import type { JobResult, SshPayload } from '@vps/shared/jobs.contract'
import { requestPower, changePassword, endSessions } from './commands.js'
import { SshFailure, type Target } from './client.js'

/** What the machine may have, likeliest first; its owner's; the job's. */
export type Passwords = { known: readonly string[]; owner: string; job: string | null }

/** Repeatable. Never throws for the machine's faults. */
export async function actOverSsh(payload: SshPayload, target: Target, passwords: Passwords): Promise<JobResult> {
  const job = passwords.job ?? passwords.owner
  try {
    switch (payload.ssh) {
      case 'set-up':
      case 'reset-password':
        await changePassword(target, { old: passwords.known, next: job })
        return done('on', true)
      case 'lock':
        await changePassword(target, { old: passwords.known, next: job })
        await endSessions(target, job)
        return done('on', true)
      case 'unlock':
        await changePassword(target, { old: passwords.known, next: passwords.owner })
        return done('on', true)
      case 'restart':
        await requestPower(target, passwords.known, 'reboot')
        return done('unknown', false)
      case 'power-off':
        await requestPower(target, passwords.known, 'poweroff')
        return done('off', false)
    }
  } catch (error) {
    if (error instanceof SshFailure) return failed(error, payload)
    throw error
  }
}

const done = (power: 'on' | 'off' | 'unknown', proven: boolean): JobResult => ({ ok: true, power, proven })

const sentences = {
  unreachable: text.serverUnreachable,
  refused: '服务器拒绝登录',
  'changed-host-key': '服务器主机密钥已改变，已停止操作',
  'not-done': '已登录服务器，但操作未能执行',
} as const

/** Its tenant may have changed the password; of a set-up nobody has yet. */
const refusedLater = '服务器拒绝登录：密码可能已在服务器内修改，请改回控制台显示的密码，或联系客服'

function failed(error: SshFailure, { ssh }: SshPayload): JobResult {
  const isLater = error.kind === 'refused' && ssh !== 'set-up'
  return {
    ok: false,
    message: isLater ? refusedLater : sentences[error.kind],
    detail: storable(error.message.slice(0, 4000)),
    // No use against a wrong password or perhaps a stranger's machine.
    final: error.kind === 'refused' || error.kind === 'changed-host-key',
    aborted: false,
    power: 'unknown',
  }
}
