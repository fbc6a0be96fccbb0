import DOMPurify from 'dompurify'
import { useMemo, useState } from 'react'
import styled from 'styled-components'
import { useTheme } from '../theme/ThemeProvider'
import { color, radius } from '../theme/tokens'

/** A longer page scrolls, so prices stay in sight. */
const heightMax = 480

// Within the frame ours would lack its scripts, and others refuse.
DOMPurify.addHook('afterSanitizeAttributes', (part) => {
  if (part.localName === 'a' && !part.getAttribute('href')?.startsWith('#')) part.setAttribute('target', '_blank')
})

/**
 * An administrator's HTML, sanitised, without scripts and forms; links open beside. Same origin for our style sheet and
 * its height.
 */
export function SalesFrame({ html, title }: { html: string; title: string }) {
  const { palette } = useTheme()
  const [height, setHeight] = useState<number | null>(null)
  const page = useMemo(() => {
    const clean = DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: ['form', 'input', 'style'] })
    return `<!doctype html><html lang="zh-CN" data-mode="${palette.mode}"><head><meta charset="utf-8"><title>介绍</title><link rel="stylesheet" href="/sales-frame.css"></head><body>${clean}</body></html>`
  }, [html, palette.mode])
  return (
    <Frame
      title={title}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={page}
      onLoad={(event) => {
        const shown = event.currentTarget.contentDocument?.body
        if (shown) setHeight(Math.min(heightMax, shown.offsetHeight + 2))
      }}
      style={height === null ? undefined : { height }}
    />
  )
}

const Frame = styled.iframe`
  display: block;
  width: 100%;
  height: 200px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};
`
