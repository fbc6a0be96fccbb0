import { periodOffers } from '@vps/shared/pricing'
import { unsoldReasons, whyUnsold, type Unsold } from '@vps/shared/unsold'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { imagesOnSale, priceGroupsOnSale, systemsOf, toPricedGroup } from '../catalogue/queries.js'
import type { Db } from '../db/client.js'
import { roomsOf } from '../fleet/free-capacity.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'
import { shownLot, stockOf } from './stock.js'

type Unsellable = { groupId: string; reason: Unsold; message: string }

/** Active groups of which nothing can be bought, with the reason, by what the shop itself goes by. */
export async function readUnsold(db: Db, now: Date): Promise<Unsellable[]> {
  const read = await db
    .selectNoFrom([
      jsonArrayFrom(groups(db)).as('groups'),
      jsonArrayFrom(priceGroupsOnSale(db)).as('prices'),
      jsonArrayFrom(imagesOnSale(db)).as('images'),
      jsonArrayFrom(roomsOf(db, shownLot)).as('rooms'),
      jsonArrayFrom(dedicatedServersForSale(db)).as('forSale'),
    ])
    .executeTakeFirstOrThrow()
  const stock = stockOf(read.rooms, read.forSale)
  const systems = systemsOf(read.images)
  const priced = read.prices.map((row) => toPricedGroup(row, systems))
  return read.groups.flatMap(({ id, ...group }) => {
    const plans = priced
      .filter((plan) => plan.serverGroupId === id && periodOffers(plan, plan.included, now).length > 0)
      .map(({ included: spec }) => ({
        ipCount: spec.ipCount,
        sells: read.images.some((image) => stock({ groupId: id, spec, image })),
      }))
    const rooms = read.rooms.filter(({ groupId }) => groupId === id)
    const reason = whyUnsold(
      { ...group, plans, rooms },
      read.images.map(({ file }) => file),
    )
    return reason ? [{ groupId: id, reason, message: unsoldReasons[reason] }] : []
  })
}

const groups = (db: Db) =>
  db
    .selectFrom('server_groups as g')
    .innerJoin('categories as c', 'c.id', 'g.category_id')
    .select(['g.id', 'c.is_active as isCategoryActive'])
    .select([
      sql<number>`(select count(*)::int from host_groups hg join hosts h on h.id = hg.host_id
        where hg.group_id = g.id and h.status <> 'RETIRED')`.as('hosts'),
      sql<number>`(select count(*)::int from dedicated_servers d join servers s on s.id = d.server_id
        where s.group_id = g.id)`.as('machines'),
    ])
    .where('g.is_active', '=', true)
