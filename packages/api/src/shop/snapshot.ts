import type { Category, OsOption, PriceGroupInFen, ServerGroup } from '@vps/shared/catalogue.contract'
import { defaultSpec } from '@vps/shared/servers'
import type { Selectable } from 'kysely'
import { activeCategories, activeGroups, activeImages, activePriceGroups, systemsOf } from '../catalogue/queries.js'
import type { Db } from '../db/client.js'
import type { Images } from '../db/schema.generated.js'
import type { Deps } from '../deps.js'
import type { Notification } from '../notifications/notification.js'
import { cached, type Cached } from '../cached.js'
import { listDedicatedServers, type GroupedView, type GroupSummaryView } from './queries.js'
import { readStock, type Stock } from './stock.js'

export type CatalogueSnapshot = {
  categories: Category[]
  groups: ServerGroup[]
  systems: OsOption[]
  images: Selectable<Images>[]
  priceGroups: PriceGroupInFen[]
  grouped: GroupedView[]
  summaries: GroupSummaryView[]
  stock: Stock
}

/** Never for money. */
const keptMs = 1_000
const shownKinds = new Set(['category', 'group', 'price-group', 'image', 'host', 'ip-pool', 'server'])

const snapshots = new WeakMap<Deps, Cached<CatalogueSnapshot>>()

/** Visitors cost the database one look a second per process. */
export function readSnapshot(deps: Deps): Promise<CatalogueSnapshot> {
  const known = snapshots.get(deps)
  if (known) return known.read()
  const snapshot = cached(() => createSnapshot(deps.shopDb), keptMs)
  snapshots.set(deps, snapshot)
  const forget = (notification: Notification | null) => {
    if (notification !== null && 'shop' in notification && shownKinds.has(notification.shop)) snapshot.drop()
  }
  deps.notifications.listen(forget)
  return snapshot.read()
}

async function createSnapshot(db: Db): Promise<CatalogueSnapshot> {
  const images = await activeImages(db)
  const systems = systemsOf(images)
  const [categories, groups, priced, servers, stock] = await Promise.all([
    activeCategories(db),
    activeGroups(db),
    activePriceGroups(db, systems),
    listDedicatedServers(db),
    readStock(db),
  ])
  const priceGroups = priced.map((group) => ({
    ...group,
    available: stock({ groupId: group.serverGroupId, spec: group.included, image: null }),
  }))
  const sells = ({ id }: ServerGroup) => {
    const first = servers.find((server) => server.groupId === id)
    const spec = first
      ? { ...defaultSpec, cpuCores: first.cpuCores, memoryGb: first.memory, storageGb: first.diskSpace }
      : defaultSpec
    return stock({ groupId: id, spec, image: null })
  }
  return {
    categories,
    groups,
    systems,
    images,
    priceGroups,
    grouped: groups.map((group) => ({
      groupId: group.id,
      groupName: group.name,
      categoryId: group.categoryId,
      available: sells(group),
      servers: servers.filter((server) => server.groupId === group.id),
    })),
    summaries: groups.map((group) => ({
      id: group.id,
      name: group.name,
      categoryName: group.categoryName,
      region: group.region,
      available: sells(group),
    })),
    stock,
  }
}
