import type { User } from '@vps/api/actor'
import { createCategory } from '@vps/api/catalogue/categories'
import { createGroup } from '@vps/api/catalogue/groups'
import { createImage } from '@vps/api/catalogue/images'
import { createPriceGroup } from '@vps/api/catalogue/price-groups'
import type { Tx } from '@vps/api/db/client'
import { saveSettings } from '@vps/api/site/settings'
import { categoryInput, groupInput, priceGroupInput } from '@vps/shared/catalogue.contract'
import { imageInput } from '@vps/shared/images.contract'
import { siteInput } from '@vps/shared/site.contract'
import { backups, categories, groups, images, losAngeles, places, priceGroups, type GroupName } from './catalogue.js'

export type Catalogue = { groupIds: Map<GroupName, string>; priceGroupIds: Map<string, string> }

/** Gives the ids of groups and price groups by name. */
export async function createCatalogue(tx: Tx, admin: User, now: Date): Promise<Catalogue> {
  const groupIds = new Map<GroupName, string>()
  const priceGroupIds = new Map<string, string>()
  for (const [index, { name, description, groups: names }] of categories.entries()) {
    const category = categoryInput.parse({ name, description, sortOrder: index + 1 })
    const categoryId = await createCategory(tx, admin, category, now)
    for (const [order, group] of names.entries()) {
      const input = groupInput.parse({ categoryId, name: group, ...groups[group], sortOrder: order + 1 })
      groupIds.set(group, await createGroup(tx, admin, input, now))
    }
  }
  for (const [index, image] of images.entries())
    await createImage(tx, admin, imageInput.parse({ ...image, sortOrder: index + 1 }), now)
  for (const [index, price] of priceGroups.entries()) {
    const [hourlyPrice, dailyPrice, monthlyPrice, quarterlyPrice, semiAnnualPrice, annualPrice] = price.prices
    const input = priceGroupInput.parse({
      name: price.name,
      description: price.description,
      serverGroupId: groupIds.get(price.group),
      hourlyPrice,
      dailyPrice,
      monthlyPrice,
      quarterlyPrice,
      semiAnnualPrice,
      annualPrice,
      ...price.rates,
      ...(price.group === losAngeles ? {} : backups),
      salesPageHtml: price.page,
      hasDiscount: price.discount !== undefined,
      discountPercentage: price.discount,
      sortOrder: index + 1,
    })
    priceGroupIds.set(price.name, await createPriceGroup(tx, admin, input, now))
  }
  await saveSettings(tx, admin, siteInput.parse({ version: 0, places }), now)
  return { groupIds, priceGroupIds }
}
