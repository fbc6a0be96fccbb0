import type { Category, OsOption, PriceGroupInFen, ServerGroup } from '@vps/shared/catalogue.contract'
import type { PaymentMethod } from '@vps/shared/payments'
import { defaultSpec } from '@vps/shared/servers'
import type { SiteSettings } from '@vps/shared/site'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  categoriesOnSale,
  groupsOnSale,
  imagesOnSale,
  priceGroupsOnSale,
  systemsOf,
  toPricedGroup,
  type OfferedImage,
} from '../catalogue/queries.js'
import { roomsOf } from '../fleet/free-capacity.js'
import { dedicatedServersForSale } from '../servers/ssh/for-sale.js'
import { newestSettings, toSettings } from '../site/settings.js'

import type { Db } from '../db/client.js'
import type { Deps } from '../deps.js'
import type { Notification } from '../notifications/notification.js'
import { cached, type Cached } from '../cached.js'
import { dedicatedServers, toGroupServer, type GroupedView, type GroupSummaryView } from './queries.js'
import { shownLot, stockOf, type Stock } from './stock.js'

export type CatalogueSnapshot = {
  categories: Category[]
  groups: ServerGroup[]
  systems: OsOption[]
  images: OfferedImage[]
  priceGroups: PriceGroupInFen[]
  grouped: GroupedView[]
  summaries: GroupSummaryView[]
  stock: Stock
  site: SiteSettings
}

/** Never for money. */
const keptMs = 1_000
/** Not an incident: but answers are kept as long as a snapshot (http/trpc/kept-answers.ts). */
const shownKinds = new Set([
  'category',
  'group',
  'price-group',
  'image',
  'host',
  'ip-pool',
  'server',
  'site',
  'incident',
])

/** Every host repeats these: with hundreds each visitor would cost a look. */
const toldOften = new Set(['host', 'image', 'server'])

const snapshots = new WeakMap<Deps, Cached<CatalogueSnapshot>>()

/** Visitors cost the database a look a second per process. */
export function readSnapshot(deps: Deps): Promise<CatalogueSnapshot> {
  const known = snapshots.get(deps)
  if (known) return known.read()
  const snapshot = cached(() => createSnapshot(deps), keptMs)
  snapshots.set(deps, snapshot)
  let heardAt = -Infinity
  const forget = (notification: Notification | null) => {
    if (notification === null || !('shop' in notification) || !shownKinds.has(notification.shop)) return
    if (toldOften.has(notification.shop)) {
      if (performance.now() < heardAt + keptMs) return
      heardAt = performance.now()
    }
    snapshot.drop()
  }
  deps.notifications.listen(forget)
  return snapshot.read()
}

/** Without a gateway: each would be refused, whatever the staff have set. */
const noMethods: Record<PaymentMethod, false> = {
  alipay: false,
  wxpay: false,
  qqpay: false,
  bank: false,
  jdpay: false,
  paypal: false,
  usdt: false,
}

async function createSnapshot({ shopDb, gateway }: Deps): Promise<CatalogueSnapshot> {
  const { categories, groups, images, prices, dedicated, rooms, machines, site } = await readAll(shopDb)
  const systems = systemsOf(images)
  const servers = dedicated.map(toGroupServer)
  const stock = stockOf(rooms, machines)
  const priceGroups = prices.map((row) => {
    const group = toPricedGroup(row, systems)
    return { ...group, available: stock({ groupId: group.serverGroupId, spec: group.included, image: null }) }
  })
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
    site: { ...toSettings(site[0]), ...(gateway ? {} : noMethods) },
  }
}

/** One statement: all is of one moment. */
function readAll(db: Db) {
  return db
    .selectNoFrom([
      jsonArrayFrom(categoriesOnSale(db)).as('categories'),
      jsonArrayFrom(groupsOnSale(db)).as('groups'),
      jsonArrayFrom(imagesOnSale(db)).as('images'),
      jsonArrayFrom(priceGroupsOnSale(db)).as('prices'),
      jsonArrayFrom(dedicatedServers(db)).as('dedicated'),
      jsonArrayFrom(roomsOf(db, shownLot)).as('rooms'),
      jsonArrayFrom(dedicatedServersForSale(db)).as('machines'),
      jsonArrayFrom(newestSettings(db)).as('site'),
    ])
    .executeTakeFirstOrThrow()
}
