import type { Away } from '@vps/shared/agent.contract'
import type { VirshSettings } from '../../config.js'
import { openImageFolder } from '../../images/folder.js'
import { temporaryFolders } from '../../temporary.js'
import { HypervisorAway } from '../hypervisor.js'
import { openBoot } from './boot.js'
import { openDomains } from './domains.js'
import { openFirewalls } from './firewalls.js'
import { openGuards } from './guards.js'
import { openGuest } from './guest.js'
import { kvmWorks, openKvm } from './kvm.js'
import { openMeasure } from './measure.js'
import { openNats } from './nats.js'
import { checkPresence, probe } from './probe.js'
import { type Virsh, VirshError, virshOn } from './run.js'
import { virshSessions } from './sessions.js'
import { openStorage } from './storage.js'
import { openStoragePlace } from './storage-place.js'

export type VirshHost = ReturnType<typeof openHost>

/** Asks nothing yet. `onTrouble`: what is mended or tried again by itself. */
export function openHost(settings: VirshSettings, onTrouble: (error: unknown) => void = () => {}) {
  const direct = virshOn(settings.uri, settings.virshTimeoutMs)
  const place = openStoragePlace(settings)
  const present = async () => (await place.away()) ?? checkPresence(direct, settings)
  const virsh = tellingAway(virshSessions(settings.uri, settings.virshTimeoutMs), present)
  const images = openImageFolder(settings.imagesDir)
  const storage = openStorage(settings.storageDir, images, settings, onTrouble)
  const guest = openGuest(virsh)
  const withTemporaryFolder = temporaryFolders(settings.stateDir)
  const domains = openDomains(virsh, withTemporaryFolder)
  const nats = openNats(storage)
  const can = once(() => probe(virsh, withTemporaryFolder, settings))
  return {
    virsh,
    withTemporaryFolder,
    images,
    storage,
    guest,
    domains,
    guards: openGuards(virsh, withTemporaryFolder, async () => (await can()).guard, settings.storageDir),
    nats,
    firewalls: openFirewalls(storage, nats),
    boot: openBoot(domains, storage, guest),
    measure: openMeasure(virsh, storage, guest),
    can,
    onTrouble,
    kvm: openKvm(
      async () => (await can()).domainType === 'kvm',
      () => kvmWorks(virsh),
    ),
    place,
    present,
  }
}

const connectionLost =
  /failed to connect|cannot (recv|write) data|end of file while reading|socket is closed|connection (reset|refused)|broken pipe/i

function tellingAway(virsh: Virsh, checkPresence: () => Promise<Away | null>): Virsh {
  return async (args, options) => {
    try {
      return await virsh(args, options)
    } catch (error) {
      if (!(error instanceof VirshError)) throw error
      const away = await checkPresence()
      if (away) throw new HypervisorAway(away)
      // Killed in mid-act and back already: virsh's own words, in its given language.
      if (connectionLost.test(error.said))
        throw new HypervisorAway({ kind: 'libvirt', detail: error.said.slice(0, 500) })
      throw error
    }
  }
}

/** For good; failures are asked again. */
export function once<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null
  return () =>
    (asked ??= ask().catch((error: unknown) => {
      asked = null
      throw error
    }))
}
