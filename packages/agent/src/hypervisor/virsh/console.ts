import { constants, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { ReadStream } from 'node:tty'
import type { RemoteKind } from '@vps/shared/remote'
import { NothingToShow } from '../hypervisor.js'
import type { VirshHost } from './host.js'
import { attributeAt, elementsAt, readXml } from './xml.js'

const connectMs = 5_000
const logBytes = 64 * 1024

/**
 * Past libvirt, by its running definition: QEMU's unix socket for the screen, the pseudo-terminal for the serial line,
 * which machines of every age have.
 */
export async function openConsole(
  { virsh, domains, storage }: Pick<VirshHost, 'virsh' | 'domains' | 'storage'>,
  serverId: string,
  kind: RemoteKind,
): Promise<Duplex> {
  if ((await domains.power(serverId)) !== 'on') throw new NothingToShow(`${serverId} is not running`)
  const domain = readXml(await virsh(['dumpxml', serverId]))
  if (kind === 'screen') {
    const vnc = elementsAt(domain, 'devices/graphics').find((one) => one.getAttribute('type') === 'vnc')
    const path = vnc && (vnc.getAttribute('socket') || attributeAt(vnc, 'listen', 'socket'))
    if (!path) throw new NothingToShow(`${serverId} has no screen on a socket`)
    return connectScreen(path)
  }
  const path = attributeAt(domain, 'devices/serial/source', 'path')
  if (!path?.startsWith('/dev/pts/')) throw new NothingToShow(`${serverId} has no serial line on a terminal`)
  return openSerial(path, storage.serialLogPath(serverId))
}

async function connectScreen(path: string): Promise<Duplex> {
  const socket = connect(path)
  socket.setTimeout(connectMs, () => socket.destroy(new Error('QEMU did not answer in time')))
  await once(socket, 'connect')
  socket.setTimeout(0)
  return socket
}

async function openSerial(path: string, logPath: string): Promise<Duplex> {
  const said = withoutQuestions(await readEnd(logPath))
  // At once: a terminal is not waited for. The stream closes it.
  const line = new ReadStream(openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK))
  line.setRawMode(true)
  if (said.length > 0) line.unshift(said)
  return line
}

const [escape, bell] = ['\u001b', '\u0007']
const ends = String.raw`(?:${bell}|${escape}\\)?`
const questions = new RegExp(
  String.raw`${escape}(?:\[[?>=]?[\d;:]*(?:[cn]|\$p)|(?:P\$q|\](?:4|1[0-2]);)[^${bell}${escape}]*${ends})`,
  'g',
)

/** What asks a terminal (ECMA-48: DSR, DA; xterm: modes, colours) was answered then: again, it would be typed in. */
export const withoutQuestions = (said: Buffer): Buffer =>
  Buffer.from(said.toString('latin1').replaceAll(questions, ''), 'latin1')

async function readEnd(path: string): Promise<Buffer> {
  const file = await open(path).catch(() => null)
  if (!file) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - logBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
