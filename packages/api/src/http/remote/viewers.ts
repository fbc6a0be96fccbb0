import type { RemoteEnding } from '@vps/shared/remote'
import type { Deps } from '../../deps.js'
import type { Notification } from '../../notifications/notification.js'
import { endingsOf } from '../../remote/remote-consoles.js'
import type { Viewer } from './viewer.js'

const sweepMs = 1_000

/** Looked after until `close`. */
export function openViewers(deps: Deps) {
  const viewers = new Set<Viewer>()
  const ending = new Set<Promise<void>>()

  function end(viewer: Viewer, why: RemoteEnding): void {
    const ended = viewer.end(why).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  async function lookAfter(due: Viewer[]): Promise<void> {
    if (due.length === 0) return
    for (const viewer of due) viewer.checked()
    const ids = due.map(({ row }) => row.id)
    const endings = await endingsOf(deps.db, ids)
    for (const viewer of due) {
      const why = endings.get(viewer.row.id)
      if (why) end(viewer, why)
    }
  }

  function look(wanted: (viewer: Viewer) => boolean): void {
    lookAfter([...viewers].filter(wanted)).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'remote consoles could not be looked after'),
    )
  }

  const stopListening = deps.notifications.listen((notification) => look(concernedBy(notification)))
  const sweep = setInterval(() => {
    for (const viewer of viewers) {
      const why = viewer.overdue()
      if (why) end(viewer, why)
    }
    look((viewer) => viewer.isDue())
  }, sweepMs)

  return {
    add: (viewer: Viewer) => void viewers.add(viewer),
    remove: (viewer: Viewer) => void viewers.delete(viewer),
    end,
    endAll() {
      for (const viewer of viewers) end(viewer, 'restarted')
    },
    async close() {
      clearInterval(sweep)
      stopListening()
      await Promise.all(ending)
    },
  }
}

/** Whose right it may change; one that was lost may concern all. */
function concernedBy(notification: Notification | null): (viewer: Viewer) => boolean {
  if (notification === null) return () => true
  if ('remote' in notification) return ({ row }) => row.serverId === notification.remote
  if ('host' in notification) return ({ row }) => row.hostId === notification.host
  if ('sessionsOf' in notification) return ({ row }) => row.userId === notification.sessionsOf
  if ('user' in notification) return ({ row }) => row.userId === notification.user
  return () => false
}
