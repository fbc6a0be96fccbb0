import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { HypervisorError } from '../hypervisor.js'
import { succeeds } from './kept-scripts.js'
import { run } from './run.js'

/** The host as the router of machines that share its address. */

const setting = '/proc/sys/net/ipv4/ip_forward'
const isRouting = async () => (await readFile(setting, 'utf8')).trim() === '1'

/** Whether it passes on what comes for its machines, or the agent may have it do so. */
export const routes = async (): Promise<boolean> =>
  (await isRouting()) || succeeds(() => access(setting, constants.W_OK))

/** `refused`: for the customer, where the agent may not. */
export async function route(refused: string): Promise<void> {
  if (await isRouting()) return
  await writeFile(setting, '1').catch((error: unknown) => {
    throw new HypervisorError(`net.ipv4.ip_forward is 0 and cannot be set: ${String(error)}`, { customer: refused })
  })
}

/** More are not told: a router's. */
const addressesAtMost = 1000

/**
 * The IPv4 addresses of its interfaces; undefined where they cannot be read or are too many. Not by `os.networkInterfaces`, which leaves
 * out a bridge that no machine is on yet.
 */
export async function ownAddresses(): Promise<string[] | undefined> {
  const listed = await run('ip', ['-o', '-4', 'address']).catch(() => undefined)
  const addresses = [...(listed ?? '').matchAll(/ inet ([\d.]+)/g)].map(([, own = '']) => own)
  return listed === undefined || addresses.length > addressesAtMost ? undefined : addresses
}
