import type { MachineDescription } from '@vps/shared/jobs.contract'
import { type Access, accessOf, GuestStill, HypervisorError, LoginRefused } from '../hypervisor/hypervisor.js'
import { following, until } from '../wait.js'
import type { JobContext } from './handler.js'

type Login = { access: Access; password: string; hostKey: string }

/** As long as a system of ours may take; throws why not. */
export async function untilLoggedIn({ hypervisor, job, limits, signal }: JobContext, login: Login): Promise<void> {
  let last: unknown = null
  await until(
    async () => {
      try {
        await hypervisor.tryLogin(job.serverId, login.access, login.password, login.hostKey)
        return true
      } catch (error) {
        last = error
        return null
      }
    },
    {
      everyMs: limits.pollMs,
      limitMs: limits.loginMs,
      signal,
      late: () =>
        new HypervisorError(
          `no login with the delivered password: ${last instanceof Error ? last.message : 'no answer'}`,
          {
            customer: last instanceof LoginRefused ? '系统已启动，但未接受设置的密码' : '系统已启动，但无法通过SSH登录',
            cause: last,
          },
        ),
    },
  )
}

/** Made for this job. */
export function passwordOf({ job }: JobContext): string {
  if (!job.secrets) throw new HypervisorError('the job came without its password', { final: true })
  return job.secrets.password
}

const usualPort = 22

/**
 * What did not boot once will not the next time; its image is told as such, unless its owner chose the port on which
 * nobody answered: something in the guest may hold it.
 */
export async function untilUp(
  { hypervisor, job, limits, signal }: JobContext,
  machine: MachineDescription,
  words: { still: string; late: string },
): Promise<void> {
  const late = AbortSignal.timeout(limits.bootMs)
  try {
    await following([signal, late], (stop) =>
      hypervisor.awaitBoot(job.serverId, accessOf(machine), stop, limits.stillMs),
    )
  } catch (error) {
    const still = error instanceof GuestStill
    if (!still && (!late.aborted || signal.aborted)) throw error
    const mayBePort = !still && machine.sshPort !== usualPort
    const { file } = machine.image
    const sha256 = await hypervisor.images.hashOf(hypervisor.images.pathOf(file)).catch(() => null)
    throw new HypervisorError(still ? error.message : `the guest did not come up within ${limits.bootMs} ms`, {
      final: true,
      customer: still ? words.still : mayBePort ? `${words.late}，也可能是所选的 SSH 端口已被系统占用` : words.late,
      ...(mayBePort ? {} : { unbootable: { file, sha256 } }),
    })
  }
}
