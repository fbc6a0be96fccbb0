/** Parts of a screen that need no browser to be told what they say: drawn as a string. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'

/** What is drawn, as HTML. */
export const markupOf = (part: ReactNode): string => renderToStaticMarkup(<Router ssrPath="/">{part}</Router>)

/** What is read, without what only draws it. */
export const readOf = (part: ReactNode): string =>
  markupOf(part)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")

/** The attributes of the first element that has this one, by their names. */
export function attributesOf(part: ReactNode, having: string): Record<string, string> {
  const tag =
    markupOf(part)
      .match(/<[^>]+>/g)
      ?.find((one) => new RegExp(`\\s${having}(=|\\s|>)`).test(one)) ?? ''
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
}
