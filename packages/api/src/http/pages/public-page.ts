import { isAt, remotePage } from '@vps/shared/addresses'
import { productName, productShort } from '@vps/shared/brand'
import * as labels from '@vps/shared/labels'
import type { SiteSettings } from '@vps/shared/site'
import { overallText } from '@vps/shared/status'
import type { FiguresView, StatusView } from '@vps/shared/status.contract'
import { about, homeBody, legalBody, lowestPrice, salesBody, type Sold } from './bodies.js'
import { escaped } from './escaped.js'
import type { PlainLook } from './plain-look.js'
import { feedPath, statusBody } from './status-page.js'

/** As built; `files`: scripts that a page needs besides the entry's, by address. */
export type Client = { html: string; look: PlainLook; files: Record<string, string[]> }
export type Shown = Sold & { status: StatusView; figures: FiguresView }
type Page = { title: string; description: string; body: string }

/** Their HTML says what stands there, without scripts. */
export const publicPaths = ['/', '/sales', '/terms', '/privacy', '/status'] as const
export type PublicPath = (typeof publicPaths)[number]

const titled = (title: string) => `${title} · ${productName}`

const pages: Record<PublicPath, (shown: Shown, now: Date) => Page> = {
  '/': (shown, now) => ({
    title: productName,
    description: about + lowestPrice(shown, now),
    body: homeBody(shown, shown.figures, now),
  }),
  '/sales': (sold, now) => ({
    title: titled(labels.product),
    description: about + lowestPrice(sold, now),
    body: salesBody(sold, now),
  }),
  '/terms': ({ site }) => ({
    title: titled(labels.terms),
    description: productName + labels.terms,
    body: legalBody(site, 'terms', labels.terms),
  }),
  '/privacy': ({ site }) => ({
    title: titled(labels.privacy),
    description: productName + labels.privacy,
    body: legalBody(site, 'privacy', labels.privacy),
  }),
  '/status': ({ status }) => ({
    title: titled(labels.serviceStatus),
    description: `${productName}${labels.serviceStatus}：${overallText(status)}。`,
    body: statusBody(status),
  }),
}

/** With this address's title, description and content, and the client's first answers (`first-answers.ts`). */
export function publicPage(
  client: Client,
  path: PublicPath,
  shown: Shown,
  { publicUrl, now, answers }: { publicUrl: string; now: Date; answers: string },
): string {
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
  // Functions: a `$` in a text is no pattern.
  return looking(client, path)
    .replace(/<title>.*?<\/title>/s, () => head.join('\n    '))
    .replace(/<meta name="description"[^>]*>/, () => `<meta name="description" content="${escaped(description)}" />`)
    .replace(/<noscript>.*?<\/noscript>/s, () => framed(path, body, shown.site, answers))
}

/** Any other address until the client draws: the bar; below, what who runs no script must know. */
export function barePage(client: Client, path: string): string {
  const page = looking(client, path)
  if (isAt(remotePage, path)) return page
  return page.replace(/<noscript>.*?<\/noscript>/s, (words) => `<div class="plain">\n${bar('')}\n${words}\n</div>`)
}

/** With the look that needs no other file, and names of the files needed next. */
function looking({ html, look: { script, style }, files }: Client, path: string): string {
  const [, needed = []] = Object.entries(files).find(([address]) => isAt(address, path)) ?? []
  const named = needed.map((file) => `\n    <link rel="modulepreload" crossorigin href="${file}">`).join('')
  return html.replace(
    '<script src="/theme.js"></script>',
    () => `<script>${script}</script>\n    <style>${style}</style>${named}`,
  )
}

const bar = (ways: string) =>
  `<header><div><a class="logo" href="/"><img src="/favicon.svg" alt="" width="28" height="28" />${productShort}</a>${ways}</div></header>`

function framed(path: PublicPath, body: string, site: SiteSettings, answers: string): string {
  const link = ([href, text]: readonly [string, string]) =>
    `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${text}</a>`
  const places = [
    ['/', labels.home],
    ['/sales', labels.product],
  ] as const
  const ways = [
    ['/sales', labels.productOverview],
    ['/terms', labels.terms],
    ['/privacy', labels.privacy],
    ['/status', labels.serviceStatus],
  ] as const
  const contacts = [site.company, site.email, site.phone, site.icp, site.police].filter((text) => text !== '')
  return `<div class="plain">
${bar(`<nav aria-label="${labels.mainNavigation}">${places.map(link).join('')}</nav>`)}
<main>${body}</main>
<footer><noscript><p>登录与购买需要浏览器启用 JavaScript。</p></noscript><p>${ways.map(link).join('')}</p><p>${contacts.map(escaped).join(' · ')}</p></footer>
<script type="application/json">${answers}</script>
</div>`
}
