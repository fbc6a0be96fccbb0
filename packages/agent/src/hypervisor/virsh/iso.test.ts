import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { ScriptedVirsh } from '../../testing/scripted-virsh.js'
import { openDomains } from './domains.js'
import type { VirshHost } from './host.js'
import { insertedXml } from './iso-xml.js'
import { ejectIso, insertIso } from './iso.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const golden = readFileSync(join(import.meta.dirname, 'golden/kvm.xml'), 'utf8')
const empty = golden.replace(/\n\s*<source file='[^']*seed.iso'\/>/, '')
const disc = { isoId: 'this-one', file: 'debian.iso', boots: false }
const full = insertedXml(empty, { ...disc, path: '/srv/images/debian.iso' })

function hostWith(dumpxml: string) {
  const answers = {
    list: id,
    domstats: `Domain: 'vps-${id}'\n  state.state=1\n`,
    dumpxml,
    'change-media': '',
    define: '',
    'managedsave-remove': '',
  }
  const scripted = new ScriptedVirsh(answers)
  const parts: Partial<Record<keyof VirshHost, unknown>> = {
    virsh: scripted.virsh,
    domains: openDomains(scripted.virsh, withTemporaryFolder),
    images: { pathOf: (file: string) => `/srv/images/${file}` },
  }
  const verbs = () =>
    scripted.asked.map(({ args }) => args[0]).filter((verb) => verb === 'define' || verb === 'change-media')
  return { host: parts as VirshHost, verbs }
}

test('a drive that has not taken what virsh says it took is noted nowhere', async () => {
  const into = hostWith(empty)
  await expect(insertIso(into.host, id, disc)).rejects.toThrow('the drive holds what it held before')
  expect(into.verbs()).toEqual(['change-media'])
  const out = hostWith(full)
  await expect(ejectIso(out.host, id)).rejects.toThrow('the drive holds what it held before')
  expect(out.verbs()).toEqual(['change-media'])
})

test('a drive that is as it should be is not changed, and a seed in it is no disc', async () => {
  const there = hostWith(full)
  await insertIso(there.host, id, disc)
  expect(there.verbs()).toEqual(['define'])
  const seeded = hostWith(golden)
  await ejectIso(seeded.host, id)
  expect(seeded.verbs()).toEqual([])
})

test('a disc to boot from is defined alone: whatever the guest does with its drive meanwhile, the start brings it', async () => {
  const into = hostWith(empty)
  await insertIso(into.host, id, { ...disc, boots: true })
  expect(into.verbs()).toEqual(['define'])
})
