import { legalParts, type LegalName, type SiteSettings } from '@vps/shared/site'
import styled from 'styled-components'
import { color, font } from '../theme/tokens'

/** `level` of its headings. */
export function Legal({ site, name, level }: { site: SiteSettings; name: LegalName; level: 'h2' | 'h3' }) {
  const Heading = level
  return (
    <Prose>
      {legalParts(site, name).map(({ kind, text }, place) =>
        kind === 'heading' ? <Heading key={place}>{text}</Heading> : <p key={place}>{text}</p>,
      )}
    </Prose>
  )
}

const Prose = styled.div`
  display: grid;
  gap: 8px;
  color: ${color.text2};
  overflow-wrap: anywhere;

  h2,
  h3 {
    margin-top: 8px;
    ${font.sm}
    color: ${color.text};
  }
`
