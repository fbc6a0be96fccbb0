import * as z from 'zod'
import {
  firewallActions,
  firewallDirections,
  firewallProtocols,
  firewallStates,
  mostFirewallRules,
} from './firewall.js'
import * as text from './text.js'

const port = z.int().min(1, { error: text.firewallPortWrong }).max(65_535, { error: text.firewallPortWrong })

/** Of either family; null: anybody. */
export const firewallRemote = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: text.firewallRemoteWrong })
  .nullable()

export const firewallRule = z
  .object({
    direction: z.enum(firewallDirections),
    protocol: z.enum(firewallProtocols),
    ports: z.object({ from: port, to: port }).nullable(),
    remote: firewallRemote,
    action: z.enum(firewallActions),
    note: z
      .string()
      .trim()
      .max(60, { error: text.tooLong(60) }),
  })
  .refine(({ ports }) => ports === null || ports.from <= ports.to, {
    error: text.firewallPortWrong,
    path: ['ports'],
  })
  .refine(({ protocol, ports }) => ports === null || protocol === 'tcp' || protocol === 'udp', {
    error: text.firewallNoPorts,
    path: ['ports'],
  })

/** The whole set, in order. */
export const firewall = z.object({
  enabled: z.boolean(),
  inbound: z.enum(firewallActions),
  outbound: z.enum(firewallActions),
  rules: z.array(firewallRule).max(mostFirewallRules, { error: text.firewallFull(mostFirewallRules) }),
})

/** `revision` 0: never saved. The next save names the one it was made from. */
export const firewallView = z.object({
  firewall,
  revision: z.int().min(0),
  state: z.enum(firewallStates),
  sshPort: z.int(),
})
export type FirewallView = z.infer<typeof firewallView>
