import * as text from '@vps/shared/text'
import { compare, hash } from 'bcryptjs'
import { pause, pauseOrThrow } from '../../wait.js'
import { type Hypervisor, HypervisorAway, HypervisorError, LoginRefused } from '../hypervisor.js'
import { act, kill, shareMs, simulatedAway, type SimulatedHost, strike } from './act.js'
import { wave } from './figures.js'
import { findIn } from './machines.js'
import { isOn } from './state.js'

export function guestsOf(
  host: SimulatedHost,
): Pick<Hypervisor, 'hashPassword' | 'awaitBoot' | 'tryLogin' | 'setPassword' | 'testConnection'> {
  const { settings, state } = host
  const isUp = (serverId: string) => findIn(state, serverId, Date.now()).power === 'on'
  const diskOf = (serverId: string) => state.disks.find((one) => one.serverId === serverId)
  const hashPassword = (password: string) => hash(password, 4)
  return {
    hashPassword,

    async awaitBoot(serverId, _access, signal) {
      const fault = strike(host, 'awaitBoot', serverId)
      if (fault === 'away') throw new HypervisorAway(simulatedAway)
      if (fault === 'hang') await pause(2 ** 31 - 1, signal)
      await pauseOrThrow(shareMs(host, 'awaitBoot'), signal)
      if (fault === 'fail') throw new HypervisorError('simulated fault: awaitBoot failed')
      if (!isUp(serverId)) throw new HypervisorError('the machine went off')
      if (fault === 'killAfter') kill()
    },

    async tryLogin(serverId, _access, password, hostKey) {
      await act(host, { verb: 'tryLogin', serverId, ms: shareMs(host, 'tryLogin') }, () => {})
      const rescueId = state.domains[serverId]?.rescueId
      const guest = rescueId ? state.rescues.find(({ id }) => id === rescueId) : diskOf(serverId)
      if (!isUp(serverId)) throw new HypervisorError('connection refused')
      // The disc's own system, whose key nobody knows.
      if (state.domains[serverId]?.runsIso || guest?.hostKey !== hostKey)
        throw new HypervisorError('the host key is another')
      if (!guest?.passwordHash || !(await compare(password, guest.passwordHash)))
        throw new LoginRefused('the guest refused the password')
    },

    async setPassword(serverId, _username, password) {
      if (!isUp(serverId))
        throw new HypervisorError('the guest agent does not answer', { final: true, customer: text.noGuestAgent })
      const passwordHash = await hashPassword(password)
      await act(host, { verb: 'setPassword', serverId, ms: settings.powerMs * 0.8 }, () => {
        const disk = diskOf(serverId)
        if (disk) disk.passwordHash = passwordHash
      })
    },

    async testConnection(address, port) {
      const now = Date.now()
      const [, there] =
        Object.entries(state.domains).find(([serverId, { access, addresses }]) => {
          const isTaken = diskOf(serverId)?.addresses.includes(address) && addresses.includes(address)
          return access.port === port && (access.address === address || isTaken)
        }) ?? []
      return there && isOn(there, now) ? Math.round(wave(address, 'latency', now, 1, 9)) : null
    },
  }
}
