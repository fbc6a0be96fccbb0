import type { Deps } from '../../deps.js'
import { must } from '../../must.js'
import { keptAnswer } from '../trpc/kept-answers.js'
import type { PublicPath } from './public-page.js'

const plainForm = { name: 'plain', body: (answer: unknown) => answer }

const shop = ['shop.site', 'shop.groups', 'shop.priceGroups']

const firstReads: Record<PublicPath, readonly string[]> = {
  '/': [...shop, 'status.figures'],
  '/sales': [...shop, 'shop.categories'],
  '/terms': ['shop.site'],
  '/privacy': ['shop.site'],
  '/status': ['shop.site', 'status.get'],
}

/** By name, as JSON that can stand in HTML. */
export async function firstAnswers(deps: Deps, path: PublicPath): Promise<string> {
  const entries = firstReads[path].map(async (name) => {
    const { text } = must(await keptAnswer(deps, name, plainForm))
    return `"${name}":${text}`
  })
  return `{${(await Promise.all(entries)).join(',')}}`.replaceAll('<', '\\u003c')
}
