import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import styled from 'styled-components'
import { useTheme } from '../theme/ThemeProvider'
import { color, radius } from '../theme/tokens'

/** An administrator's HTML: sanitised, and in a frame that may run nothing and reach nothing. */
export function SalesFrame({ html, title }: { html: string; title: string }) {
  const { palette } = useTheme()
  const page = useMemo(() => {
    const clean = DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_TAGS: ['form', 'input', 'style'] })
    return `<!doctype html><html lang="zh-CN" data-mode="${palette.mode}"><head><meta charset="utf-8"><title>介绍</title><link rel="stylesheet" href="/sales-frame.css"></head><body>${clean}</body></html>`
  }, [html, palette.mode])
  return <Frame title={title} sandbox="" srcDoc={page} />
}

const Frame = styled.iframe`
  display: block;
  width: 100%;
  height: 280px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.page};
`
