import { sql } from 'kysely'

/** Whether a server has its place on a host that was declared lost. */
export const isOnLost = (server: string) =>
  sql<boolean>`exists (select from placements lp join hosts lh on lh.id = lp.host_id
    where lp.server_id = ${sql.ref(server)} and lp.state = 'held' and lh.status = 'LOST')`
