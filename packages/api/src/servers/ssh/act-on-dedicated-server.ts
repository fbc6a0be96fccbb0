import type { JobResult } from '@vps/shared/jobs.contract'
import type { Deps } from '../../deps.js'
import type { JobRow } from '../../jobs/claim.js'
import { sshPayload } from '@vps/shared/jobs.contract'
import { openSecret, openSecrets } from '../../secrets/secrets.js'
import { actOverSsh } from './act.js'
import { readSshAccess } from './access.js'
import { mayContact } from './test-dedicated.js'

/** Over SSH, with every password that it may have. */
export async function actOnDedicatedServer(deps: Deps, job: JobRow): Promise<JobResult> {
  const { target, knownSecretIds, ownerSecretId } = await readSshAccess(deps.db, job.server_id)
  if (!mayContact(deps, target)) return unreachable
  const open = (id: string) => openSecret(deps.db, deps.vault, id)
  return actOverSsh(sshPayload.parse(job.payload), target, {
    known: await openSecrets(deps.db, deps.vault, knownSecretIds),
    owner: await open(ownerSecretId),
    job: job.secret_id ? await open(job.secret_id) : null,
  })
}

const unreachable: JobResult = {
  ok: false,
  message: '不允许连接该服务器地址',
  detail: 'the address is not allowed (ALLOWED_NETWORKS, or the demo)',
  final: true,
  aborted: false,
  power: 'unknown',
}
