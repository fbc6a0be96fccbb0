import { useEffect, useRef } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { color, font, media, motion } from '../theme/tokens'

/** A page's parts, each with its address. */
export function TabLinks<Part extends string>({
  label,
  parts,
  current,
  hrefOf,
}: {
  label: string
  parts: readonly (readonly [Part, string])[]
  current: Part
  hrefOf: (part: Part) => string
}) {
  const row = useRef<HTMLElement>(null)

  // A phone shows some of them; the page itself stays where it is.
  useEffect(() => {
    const [all, one] = [row.current, row.current?.querySelector('[aria-current]')]
    if (!all || !one) return
    const [around, within] = [all.getBoundingClientRect(), one.getBoundingClientRect()]
    all.scrollLeft += within.left + within.width / 2 - (around.left + around.width / 2)
  }, [current])

  return (
    <Row ref={row} aria-label={label}>
      {parts.map(([part, word]) => (
        <Link key={part} href={hrefOf(part)} aria-current={part === current ? 'page' : undefined}>
          {word}
        </Link>
      ))}
    </Row>
  )
}

const Row = styled.nav`
  display: flex;
  gap: 4px;
  margin-bottom: 16px;
  border-bottom: 1px solid ${color.line};
  overflow-x: auto;
  scrollbar-width: none;

  a {
    flex: none;
    display: grid;
    place-items: center;
    min-height: 40px;
    padding: 0 14px;
    ${font.sm}
    color: ${color.text2};
    border-bottom: 2px solid transparent;
    transition: color ${motion.state};
  }

  a:hover {
    color: ${color.primary.text};
  }

  a[aria-current] {
    ${font.strong}
    color: ${color.primary.text};
    border-bottom-color: ${color.primary.brand};
  }

  a:focus-visible {
    outline-offset: -2px;
  }

  ${media.phone} {
    margin: 0 -16px 12px;
    padding: 0 8px;

    a {
      min-height: 44px;
      padding: 0 12px;
    }
  }
`
