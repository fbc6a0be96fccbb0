import { siteAtFirst, type SiteSettings } from '@vps/shared/site'
import { siteSettings, type SiteInput, type SiteVersion } from '@vps/shared/site.contract'
import { actorOf, type User } from '../actor.js'
import { changesOf, recordAudit } from '../audit/record.js'
import type { Db, Tx } from '../db/client.js'
import { refuseStale } from '../refuse-stale.js'

/** The newest version, for a larger statement. */
export function newestSettings(db: Db) {
  return db.selectFrom('site_settings').select(['version', 'settings']).orderBy('version', 'desc').limit(1)
}

/** A setting that a version does not know is as at first. */
export const toSettings = (row: { settings: Partial<SiteSettings> } | undefined): SiteSettings => ({
  ...siteAtFirst,
  ...row?.settings,
})

/** As the staff edits them. */
export async function readSettings(db: Db): Promise<SiteVersion> {
  const row = await newestSettings(db)
    .innerJoin('users as u', 'u.id', 'site_settings.saved_by')
    .select(['u.username', 'saved_at'])
    .executeTakeFirst()
  return {
    ...toSettings(row),
    version: row?.version ?? 0,
    savedAt: row?.saved_at.toISOString() ?? null,
    savedBy: row?.username ?? null,
  }
}

/** A new version with the changes. CONFLICT with a newer one, also by the number it takes. */
export async function saveSettings(tx: Tx, admin: User, { version, ...changes }: SiteInput, now: Date): Promise<void> {
  const newest = await newestSettings(tx).executeTakeFirst()
  const [before, current] = [toSettings(newest), newest?.version ?? 0]
  const after = siteSettings.parse({ ...before, ...changes })
  refuseStale(version, current, pairsOf(after, before))
  await tx
    .insertInto('site_settings')
    .values({
      version: current + 1,
      settings: JSON.stringify({ ...before, ...after }),
      saved_by: admin.id,
      saved_at: now,
    })
    .execute()
  const details = changesOf(before, after)
  await recordAudit(tx, actorOf(admin), { action: 'site.update', subject: { kind: 'site', id: null }, details }, now)
}

type Pair = [string | boolean, string | boolean]
const pairsOf = (mine: SiteSettings, theirs: SiteSettings): Record<string, Pair> => {
  const names = siteSettings.keyof().options
  return Object.fromEntries(names.map((name): [string, Pair] => [name, [mine[name], theirs[name]]]))
}
