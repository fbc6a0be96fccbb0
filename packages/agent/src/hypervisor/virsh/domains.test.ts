import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withTemporaryFolder } from '../../testing/agent.js'
import { ScriptedVirsh, virshHangs, virshSays } from '../../testing/scripted-virsh.js'
import { HypervisorAway } from '../hypervisor.js'
import { openDomains } from './domains.js'

const id = '0198c0de-0000-7000-8000-000000000001'
const state = (number: number) => `Domain: 'vps-${id}'\n  state.state=${number}\n`
const [on, paused, ending, off, asleep] = [state(1), state(3), state(4), state(5), state(7)]
const away = new HypervisorAway({ kind: 'libvirt', detail: 'gone' })

function asking(answers: ConstructorParameters<typeof ScriptedVirsh>[0], goesOnMs = 5000) {
  const host = new ScriptedVirsh({ list: id, ...answers })
  const acts = () => host.commands().filter((command) => !/^(list|domstats)/.test(command))
  return { domains: openDomains(host.virsh, withTemporaryFolder, goesOnMs), host, acts }
}

test('a machine that is not there is absent, and nothing is asked of it', async () => {
  const { domains, acts } = asking({ list: '' })
  expect(await domains.power(id)).toBe('absent')
  await domains.cutPower(id)
  await domains.askShutdown(id)
  await domains.setAutostart(id, true)
  expect(acts()).toEqual([])
})

test.each([
  ['that is off is started', off, `start ${id}`],
  ['that is paused is woken, not started', paused, `resume ${id}`],
  ['that sleeps as its guest wished is woken, too', asleep, `dompmwakeup ${id}`],
])('a machine %s', async (_what, domstats, command) => {
  const { domains, acts } = asking({ domstats, start: '', resume: '', dompmwakeup: '' })
  await domains.start(id)
  expect(acts()).toEqual([command])
})

test('a machine that runs is not started', async () => {
  const { domains, acts } = asking({ domstats: on })
  await domains.start(id)
  expect(acts()).toEqual([])
})

test('a machine whose guest has just shut down is looked at once its QEMU has ended, and started then', async () => {
  const { domains, acts } = asking({ domstats: [ending, ending, off], start: '' })
  await domains.start(id)
  expect(acts()).toEqual([`start ${id}`])
  expect(await asking({ domstats: [ending, off] }).domains.power(id)).toBe('off')
})

test('a QEMU that does not end is waited for no longer than that: its machine is on', async () => {
  expect(await asking({ domstats: ending }, 300).domains.power(id)).toBe('on')
})

test('a start whose answer was lost is one where the machine runs afterwards, else its error is told', async () => {
  const lost = asking({ domstats: [off, on], start: virshSays('lost') })
  await lost.domains.start(id)
  const failed = asking({ domstats: off, start: virshSays('no bridge') })
  await expect(failed.domains.start(id)).rejects.toThrow('no bridge')
})

test('libvirt goes on with an act whose virsh took too long, so its end is waited for, and no longer than that', async () => {
  const started = asking({ domstats: [off, off, off, on], start: virshHangs() })
  await started.domains.start(id)
  const cut = asking({ domstats: [on, on, on, off], destroy: virshHangs() })
  await cut.domains.cutPower(id)
  const never = asking({ domstats: off, start: virshHangs() }, 300)
  await expect(never.domains.start(id)).rejects.toThrow('did not end in time')
  expect(never.acts()).toEqual([`start ${id}`])
})

test('power is cut of what runs or may run, and of nothing that is off', async () => {
  for (const domstats of [on, paused]) {
    const { domains, acts } = asking({ domstats, destroy: '' })
    await domains.cutPower(id)
    expect(acts()).toEqual([`destroy ${id}`])
  }
  const { domains, acts } = asking({ domstats: off })
  await domains.cutPower(id)
  expect(acts()).toEqual([])
})

test('a machine that went off by itself while its power was cut is off; one that did not is an error', async () => {
  const gone = asking({ domstats: [on, off], destroy: virshSays('not running') })
  await gone.domains.cutPower(id)
  const vanished = asking({ list: [id, ''], domstats: on, destroy: virshSays('no domain') })
  await vanished.domains.cutPower(id)
  const stays = asking({ domstats: on, destroy: virshSays('busy') })
  await expect(stays.domains.cutPower(id)).rejects.toThrow('busy')
})

test('a guest that cannot be asked to shut down is no error, a libvirt that is away is one', async () => {
  await asking({ domstats: on, shutdown: virshHangs() }).domains.askShutdown(id)
  await expect(asking({ domstats: on, shutdown: away }).domains.askShutdown(id)).rejects.toBe(away)
})

test('a machine that could hang is asked with a limit, so that it holds nobody up', async () => {
  const { domains, host } = asking({ domstats: on, autostart: '', shutdown: '' })
  await domains.setAutostart(id, false)
  await domains.askShutdown(id)
  await domains.askMovement(id)
  const limited = host.asked.filter(({ options }) => options.timeoutMs !== undefined).map(({ args }) => args.join(' '))
  expect(limited).toEqual([
    `autostart ${id} --disable`,
    `shutdown ${id}`,
    `domstats --raw --block --interface --nowait ${id}`,
  ])
})

test('a QEMU that does not answer has not moved, as far as anybody knows; a libvirt that is away decides nothing', async () => {
  expect(await asking({ domstats: virshHangs() }).domains.askMovement(id)).toBeNull()
  expect(await asking({ domstats: `${on}  block.0.rd.reqs=7\n` }).domains.askMovement(id)).toBe(
    '[["block.0.rd.reqs",7]]',
  )
  await expect(asking({ domstats: away }).domains.askMovement(id)).rejects.toBe(away)
})

test('a definition is checked by libvirt, and no copy of it is left behind, whether it was taken or not', async () => {
  let file = ''
  let text = ''
  const { domains, host } = asking({
    define: () => {
      file = host.asked.at(-1)?.args.at(-1) ?? ''
      text = readFileSync(file, 'utf8')
      return virshSays('not valid')
    },
  })
  await expect(domains.defineXml('<domain/>')).rejects.toThrow('not valid')
  expect(host.asked.at(-1)?.args.slice(0, 2)).toEqual(['define', '--validate'])
  expect(text).toBe('<domain/>')
  expect(() => readFileSync(file)).toThrow('ENOENT')
})
