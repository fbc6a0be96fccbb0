import { expect, test } from 'vitest'
import { ScriptedVirsh, virshHangs } from '../../testing/scripted-virsh.js'
import { resumeWithRoom } from './full-disk.js'

/** What libvirt says of a disk that is full is proven in `tests/vm/ailing.vm`. */

test.each([
  ['had no room', 'vda: no space\n', ['domblkerror one', 'resume one']],
  ['failed', 'vda: unspecified error\n', ['domblkerror one']],
  ['had no room, and another failed', 'vda: no space\nvdb: unspecified error\n', ['domblkerror one']],
  ['is not told of', 'No errors found\n', ['domblkerror one']],
  ['cannot be asked of', virshHangs(), ['domblkerror one']],
])('with room again a machine goes on where its disk %s', async (_what, domblkerror, asked) => {
  const host = new ScriptedVirsh({ domblkerror, resume: '' })
  await resumeWithRoom(host.virsh, { causeOf: async (told) => told, makeRoomPastEnd: async () => {} }, 'one')
  expect(host.commands()).toEqual(asked)
})

test('while there is none it is not even asked', async () => {
  const host = new ScriptedVirsh({})
  await resumeWithRoom(host.virsh, { causeOf: async () => 'disk-full', makeRoomPastEnd: async () => {} }, 'one')
  expect(host.commands()).toEqual([])
})

test('the room that a volume at its end lacks is made before its machine goes on, and not for one that failed', async () => {
  const seen: string[] = []
  const storage = {
    causeOf: async <Told extends string>(told: Told) => told,
    makeRoomPastEnd: async (serverId: string) => void seen.push(`room for ${serverId}`),
  }
  const said = ['vda: no space\n', 'vda: unspecified error\n']
  const asked = new ScriptedVirsh({ domblkerror: () => said.shift() ?? '', resume: () => (seen.push('resume'), '') })
  await resumeWithRoom(asked.virsh, storage, 'one')
  await resumeWithRoom(asked.virsh, storage, 'one')
  expect(seen).toEqual(['room for one', 'resume'])
})
