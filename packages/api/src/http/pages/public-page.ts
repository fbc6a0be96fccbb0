import { productName } from '@vps/shared/brand'
import * as labels from '@vps/shared/labels'
import { formatYuan } from '@vps/shared/money'
import { periodNames } from '@vps/shared/periods'
import { cheapest, includedText, plansOnSale, type Plan } from '@vps/shared/plans'
import { legalParts, type LegalName, type SiteSettings } from '@vps/shared/site'
import * as states from '@vps/shared/states'
import { measuredText, overallTexts, setUpsText } from '@vps/shared/status'
import type { FiguresView, StatusView } from '@vps/shared/status.contract'
import type { CatalogueSnapshot } from '../../shop/snapshot.js'
import { escaped } from './escaped.js'
import { feedPath, statusBody } from './status-page.js'

type Sold = Pick<CatalogueSnapshot, 'groups' | 'priceGroups' | 'site'>
type Shown = Sold & { status: StatusView; figures: FiguresView }
type Page = { title: string; description: string; body: string }

const slogan = '稳定快速的云服务器，即开即用'
const about = '稳定、快速、按需付费的云服务器：在线选购，自动安装，随时管理。'

/** Addresses whose HTML says what stands there, for whoever reads it without script. */
export const publicPaths = ['/', '/sales', '/terms', '/privacy', '/status'] as const
export type PublicPath = (typeof publicPaths)[number]

const pages: Record<PublicPath, (shown: Shown, now: Date) => Page> = {
  '/': (shown, now) => withFigures(shopPage(productName, shown, now), shown.figures),
  '/sales': (sold, now) => shopPage(titled(labels.product), sold, now),
  '/terms': ({ site }) => legalPage('terms', labels.terms, site),
  '/privacy': ({ site }) => legalPage('privacy', labels.privacy, site),
  '/status': ({ status }) => ({
    title: titled(labels.serviceStatus),
    description: `${productName}${labels.serviceStatus}：${overallTexts[status.overall]}。`,
    body: statusBody(status),
  }),
}

/** The client's page with this address's title, description and, for whoever has no script, its content as of now. */
export function publicPage(client: string, path: PublicPath, shown: Shown, publicUrl: string, now: Date): string {
  const { title, description, body } = pages[path](shown, now)
  const url = new URL(path, publicUrl).href
  const head = [
    `<title>${escaped(title)}</title>`,
    `<link rel="canonical" href="${escaped(url)}" />`,
    ...(path === '/status' ? [`<link rel="alternate" type="application/atom+xml" href="${feedPath}" />`] : []),
    ...Object.entries({
      site_name: productName,
      type: 'website',
      title,
      description,
      url,
      image: new URL('/og.jpg', publicUrl).href,
      'image:width': '1200',
      'image:height': '630',
    }).map(([name, content]) => `<meta property="og:${name}" content="${escaped(content)}" />`),
  ]
  // By functions: a `$` in a text is no pattern.
  return client
    .replace(/<title>.*?<\/title>/s, () => head.join('\n    '))
    .replace(/<meta name="description"[^>]*>/, () => `<meta name="description" content="${escaped(description)}" />`)
    .replace(/<noscript>.*?<\/noscript>/s, () => `<noscript>${framed(body, shown.site)}</noscript>`)
}

function shopPage(title: string, { groups, priceGroups }: Sold, now: Date): Page {
  const plans = plansOnSale(groups, priceGroups, now)
  const from = cheapest(plans, 'MONTHLY')
  const price = from ? `低至 ${formatYuan(from.price)}/月。` : ''
  const rows = plans.map(rowOf).join('')
  const heads = [labels.plan, labels.region, periodNames.HOURLY, periodNames.MONTHLY, labels.status]
  const table = `<table><caption>${labels.planPrices}</caption><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows}</tbody></table>`
  return {
    title,
    description: about + price,
    body: `<h1>${slogan}</h1><p>${about}${price}</p>${rows && table}`,
  }
}

/** What is measured stands beside what is promised. */
function withFigures(page: Page, { availability, setUpSeconds }: FiguresView): Page {
  const sentences = [
    ...(availability === null ? [] : [`${labels.availability}：${measuredText(availability)}`]),
    ...(setUpSeconds ? [setUpsText(setUpSeconds)] : []),
  ]
  return { ...page, body: page.body + sentences.map((sentence) => `<p>${sentence}。</p>`).join('') }
}

function rowOf({ name, place, included, prices, available }: Plan): string {
  const cells = [
    place,
    prices.HOURLY === undefined ? '—' : formatYuan(prices.HOURLY),
    prices.MONTHLY === undefined ? '—' : formatYuan(prices.MONTHLY),
    available ? states.inStock : states.soldOut,
  ]
  const head = `<th scope="row">${escaped(name)}<small>${escaped(includedText(included))}</small></th>`
  return `<tr>${head}${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
}

function legalPage(name: LegalName, title: string, site: SiteSettings): Page {
  const parts = legalParts(site, name).map(({ kind, text }) =>
    kind === 'heading' ? `<h2>${escaped(text)}</h2>` : `<p>${escaped(text)}</p>`,
  )
  return { title: titled(title), description: `${productName}${title}`, body: `<h1>${title}</h1>${parts.join('')}` }
}

/** With the ways on, the contacts and the records that every page has. */
function framed(body: string, site: SiteSettings): string {
  const ways = [
    ['/', productName],
    ['/sales', labels.product],
    ['/terms', labels.terms],
    ['/privacy', labels.privacy],
    ['/status', labels.serviceStatus],
  ]
  const links = ways.map(([href, text]) => `<a href="${href}">${text}</a>`).join('')
  const contacts = [site.company, site.email, site.phone, site.icp, site.police].filter((text) => text !== '')
  const foot = `<footer><p>${contacts.map(escaped).join(' · ')}</p></footer>`
  const asked = `<p>登录与购买需要浏览器启用 JavaScript。</p>`
  return `<link rel="stylesheet" href="/plain.css" /><div class="plain"><nav>${links}</nav><main>${body}${asked}</main>${foot}</div>`
}

const titled = (title: string) => `${title} · ${productName}`
