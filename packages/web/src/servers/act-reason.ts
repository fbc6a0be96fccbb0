import { migratingNow } from '@vps/shared/cold-migrations'
import { errorTable } from '@vps/shared/errors'
import { orderCan } from '@vps/shared/orders'
import { isoCan, rescueCan } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import type { ConsoleServer } from './console-server'

export type PowerAction = 'start' | 'restart' | 'stop' | 'forceStop'

/** Null where it can be asked for. */
export function actReason(
  server: ConsoleServer,
  action:
    | PowerAction
    | 'resetPassword'
    | 'reinstall'
    | 'snapshot'
    | 'revert'
    | 'backup'
    | 'restore'
    | 'enterRescue'
    | 'leaveRescue'
    | 'insertIso'
    | 'ejectIso'
    | 'connect',
): string | null {
  if (action === 'connect') {
    if (!server.ipAddress) return text.noAddressYet
    return server.status === 'ONLINE' || server.order.status === 'ACTIVE' ? null : '服务器未在线'
  }
  const reason = heldReason(server)
  if (reason) return reason
  // The last way out: possible during other acts, and at an unknown power above all.
  if (action === 'forceStop') {
    if (server.driver === 'ssh') return errorTable.NOT_SUPPORTED.message
    return server.power === 'off' && !server.openJob ? text.alreadyOff : null
  }
  if (server.openJob) return errorTable.LOCKED.message
  if (server.driver === 'ssh' && (action === 'start' || action === 'reinstall')) return errorTable.NOT_SUPPORTED.message
  const isIn = server.rescue.since !== null
  const hasIso = server.iso.inserted !== null
  if (action === 'insertIso') return isoCan.insert({ isIn: hasIso, offered: server.iso.offered, inRescue: isIn })
  if (action === 'ejectIso') return isoCan.eject(hasIso)
  if (action === 'enterRescue')
    return rescueCan.enter({ isIn, offered: server.rescue.offered }) ?? isoCan.change(hasIso)
  if (action === 'leaveRescue') return rescueCan.leave(isIn)
  if (action === 'snapshot' || action === 'restore') return rescueCan.change(isIn)
  if (action === 'resetPassword' || action === 'revert') return rescueCan.change(isIn) ?? isoCan.change(hasIso)
  if (action === 'start' && server.power === 'on') return '服务器正在运行'
  if (action === 'stop' && server.power === 'off') return text.alreadyOff
  return null
}

/** Whatever is asked for. */
export function heldReason({ order, hostLost, migrating }: ConsoleServer): string | null {
  return orderCan.act.reason(order) ?? (hostLost ? text.onLostHost : migrating ? migratingNow : null)
}

/** Of screen and serial line. */
export function remoteReason(server: ConsoleServer): string | null {
  if (server.driver === 'ssh') return text.noRemoteConsole
  return orderCan.openRemote.reason(server.order) ?? (server.hostLost ? text.onLostHost : null)
}
