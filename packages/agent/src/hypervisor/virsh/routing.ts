import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { HypervisorError } from '../hypervisor.js'
import { succeeds } from './kept-scripts.js'
import { run } from './run.js'

const setting = '/proc/sys/net/ipv4/ip_forward'
const isRouting = async () => (await readFile(setting, 'utf8')).trim() === '1'

/** Whether it passes machines' traffic on, or the agent may make it. */
export const routes = async (): Promise<boolean> =>
  (await isRouting()) || succeeds(() => access(setting, constants.W_OK))

/** `refused`: for the customer, where the agent may not. */
export async function route(refused: string): Promise<void> {
  if (await isRouting()) return
  await writeFile(setting, '1').catch((error: unknown) => {
    throw new HypervisorError(`net.ipv4.ip_forward is 0 and cannot be set: ${String(error)}`, { customer: refused })
  })
}

/** More are a router's: not told. */
const toldAtMost = 1000

/**
 * Its interfaces' IPv4 addresses; undefined where unreadable or too many. Not by `os.networkInterfaces`, which leaves
 * out a bridge without machines.
 */
export async function ownAddresses(): Promise<string[] | undefined> {
  return found(['-4', 'address'], / inet ([\d.]+)/g)
}

/** Its bridges that are up, by name; undefined where unreadable or too many. */
export async function bridgesUp(): Promise<string[] | undefined> {
  return found(['link', 'show', 'up', 'type', 'bridge'], /^\d+: ([^:@]+)/gm)
}

async function found(asked: readonly string[], each: RegExp): Promise<string[] | undefined> {
  const listed = await run('ip', ['-o', ...asked]).catch(() => undefined)
  const all = [...(listed ?? '').matchAll(each)].map(([, own = '']) => own)
  return listed === undefined || all.length > toldAtMost ? undefined : all
}
