/** HTML of the public addresses, in the client's look (`packages/web/public/plain.css`). */
import * as labels from '@vps/shared/labels'
import { formatYuan } from '@vps/shared/money'
import { introduction, plansLead, points, promises, salesNote, slogan } from '@vps/shared/opening'
import { periodNames } from '@vps/shared/periods'
import { placesOf } from '@vps/shared/places'
import { cheapest, includedText, plansOnSale, type Plan } from '@vps/shared/plans'
import { legalParts, type LegalName, type SiteSettings } from '@vps/shared/site'
import * as states from '@vps/shared/states'
import { measuredText, setUpsText } from '@vps/shared/status'
import type { FiguresView } from '@vps/shared/status.contract'
import * as verbs from '@vps/shared/verbs'
import type { CatalogueSnapshot } from '../../shop/snapshot.js'
import { columns } from './columns.js'
import { escaped } from './escaped.js'

export type Sold = Pick<CatalogueSnapshot, 'groups' | 'priceGroups' | 'site'>

export const about = '稳定、快速、按需付费的云服务器：在线选购，自动安装，随时管理。'

/** A sentence, or nothing where nothing is sold by the month. */
export function lowestPrice(sold: Sold, now: Date): string {
  const from = cheapest(plansOf(sold, now), 'MONTHLY')
  return from ? `低至 ${formatYuan(from.price)}/月。` : ''
}

/** The home page: smallest price, plans, and what is measured beside what is promised. */
export function homeBody(sold: Sold, { availability, measuredDays, setUpSeconds }: FiguresView, now: Date): string {
  const plans = plansOf(sold, now)
  const from = cheapest(plans, 'MONTHLY')
  const measured = [
    ...(availability === null ? [] : [`${labels.availability}：${measuredText(availability, measuredDays)}`]),
    ...(setUpSeconds ? [setUpsText(setUpSeconds)] : []),
  ]
  return `<section class="hero"><div>
<p class="eyebrow">${escaped(promises(sold.site))}</p>
<h1>${slogan[0]}<br />${slogan[1]}</h1>
<p>${escaped(introduction(sold.site))}</p>
${from ? `<p class="from">低至 <b>${formatYuan(from.price)}</b> / 月</p>` : ''}
<p class="acts"><a href="#plans">${verbs.begin}</a><a href="/sales">${verbs.viewProducts}</a></p>
<ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul>
</div></section>
<section class="plans" id="plans"><h2>${labels.planPrices}</h2><p>${plansLead}</p>${tableOf(plans)}
${measured.map((sentence) => `<p>${sentence}。</p>`).join('')}</section>${placesPart(sold.site)}`
}

/** Where machines stand; only the visitor's browser can measure how far. */
function placesPart({ places }: SiteSettings): string {
  const names = placesOf(places).map(({ name }) => escaped(name))
  return names.length === 0
    ? ''
    : `<section class="plans"><h2>${labels.places}</h2><p>${names.join('、')}</p></section>`
}

/** The shop: every plan. */
export function salesBody(sold: Sold, now: Date): string {
  const note = `<small>${salesNote}</small>`
  return `<div class="page"><h1>${labels.product}${note}</h1>${tableOf(plansOf(sold, now))}<p>${about}${lowestPrice(sold, now)}</p></div>`
}

/** Terms or policy. */
export function legalBody(site: SiteSettings, name: LegalName, title: string): string {
  const parts = legalParts(site, name).map(({ kind, text }) =>
    kind === 'heading' ? `<h2>${escaped(text)}</h2>` : `<p>${escaped(text)}</p>`,
  )
  return `<div class="page form"><h1>${title}</h1><div class="panel">${parts.join('')}</div></div>`
}

const plansOf = ({ groups, priceGroups }: Sold, now: Date) => plansOnSale(groups, priceGroups, now)

function tableOf(plans: readonly Plan[]): string {
  if (plans.length === 0) return ''
  const heads = [labels.plan, labels.priceIncludes, periodNames.HOURLY, periodNames.MONTHLY, labels.status]
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  return `<table class="offers">${columns(heads.length + 1)}<thead><tr>${head}<td></td></tr></thead><tbody>${plans.map(rowOf).join('')}</tbody></table>`
}

function rowOf({ id, name, groupId, place, included, prices, available }: Plan): string {
  const yuan = (price: typeof prices.HOURLY) => (price === undefined ? '—' : formatYuan(price))
  const configuration = escaped(includedText(included))
  const tag = available ? `<i>${states.inStock}</i>` : `<i class="out">${states.soldOut}</i>`
  const choose = `<a href="/sales?group=${groupId}&amp;plan=${id}" aria-label="${escaped(`${verbs.choose} ${name}`)}">${verbs.choose}</a>`
  return `<tr><th scope="row">${escaped(name)}<small>${escaped(place)}</small><span>${configuration}</span></th><td>${configuration}</td><td>${yuan(prices.HOURLY)}</td><td><b>${yuan(prices.MONTHLY)}</b>${available ? '' : `<span>${states.soldOut}</span>`}</td><td>${tag}</td><td>${choose}</td></tr>`
}
