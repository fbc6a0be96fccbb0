import * as z from 'zod'

/** Who is woken for a job without a host: the ssh worker of any process. */
export const sshWorker = 'ssh'

/**
 * Acts on an entered machine, done by our worker over SSH. `lock` and `unlock` are how a suspension stops and a resumption
 * starts one: another password and the login sessions ended, and the owner's password again.
 */
export const sshPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('install'), ssh: z.literal('set-up') }),
  z.object({ kind: z.literal('restart'), ssh: z.literal('restart') }),
  z.object({ kind: z.literal('stop'), ssh: z.enum(['power-off', 'lock']) }),
  z.object({ kind: z.literal('start'), ssh: z.literal('unlock') }),
  z.object({ kind: z.literal('resetPassword'), ssh: z.literal('reset-password') }),
])
export type SshPayload = z.infer<typeof sshPayload>
