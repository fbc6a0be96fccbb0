import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'

export const markupOf = (part: ReactNode): string => renderToStaticMarkup(<Router ssrPath="/">{part}</Router>)

/** The text alone. */
export const readOf = (part: ReactNode): string =>
  markupOf(part)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")

/** Of the first element with the attribute `having`. */
export function attributesOf(part: ReactNode, having: string): Record<string, string> {
  const tag =
    markupOf(part)
      .match(/<[^>]+>/g)
      ?.find((one) => new RegExp(`\\s${having}(=|\\s|>)`).test(one)) ?? ''
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
}
